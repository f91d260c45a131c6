import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { reachEngine, type Testcontainers } from './engine.ts'

const engineAt = (host: string) => ({ info: { containerRuntime: { host } } })

function reach(host: string): Promise<unknown> {
  const found = { getContainerRuntimeClient: async () => engineAt(host) } as unknown as Testcontainers
  return reachEngine(found)
}

// An address of a link is none without its interface.
const addresses = Object.values(networkInterfaces())
  .flatMap((known = []) => known)
  .filter(({ address }) => !address.startsWith('fe80:'))
  .map(({ address }) => address)

// Testcontainers in a container that runs an engine of its own names that engine by its bridge.
test.for(['localhost', '[::1]', ...addresses])('an engine at %s is one of this machine', async (host) => {
  expect(await reach(host)).toEqual(engineAt(host))
})

test.for(['203.0.113.77', 'engine.example'])('an engine at %s is one of another machine', async (host) => {
  await expect(reach(host)).rejects.toMatchObject({
    message: `The container engine is not on this machine, but at ${host}.`,
  })
})
