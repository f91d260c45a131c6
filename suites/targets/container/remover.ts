// Removes the containers of a kit that has just ended. Runs as a separate process, since the kit cannot wait.
import { setTimeout as delay } from 'node:timers/promises'
import { getContainerRuntimeClient } from 'testcontainers'
import { removeOrphans } from './removal.ts'

/** The engine may still create containers that the kit requested just before it ended. */
const pausesMs = [0, 500, 2_000, 5_000]

const engine = await getContainerRuntimeClient()
for (const pauseMs of pausesMs) {
  await delay(pauseMs)
  await removeOrphans(engine)
}
