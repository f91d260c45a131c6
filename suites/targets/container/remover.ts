// Removes the containers with the given ids. A process of its own, for a kit that is ending.
import { getContainerRuntimeClient } from 'testcontainers'
import { removeContainer } from './removal.ts'

const { container } = await getContainerRuntimeClient()
await Promise.all(process.argv.slice(2).map((id) => removeContainer(container.getById(id))))
