// Removes the containers of a kit that has just ended. A process of its own, since the kit could not wait.
import { setTimeout as delay } from 'node:timers/promises'
import { getContainerRuntimeClient } from 'testcontainers'
import { removeOrphans } from './removal.ts'

/** What the kit asked the engine for with its last breath comes into being a little later. */
const pausesMs = [0, 500, 2_000, 5_000]

const engine = await getContainerRuntimeClient()
for (const pauseMs of pausesMs) {
  await delay(pauseMs)
  await removeOrphans(engine)
}
