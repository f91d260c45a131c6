import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { reachEngine, type Testcontainers } from './engine.ts'

const engineAt = (host: string) => ({ info: { containerRuntime: { host } } })

function reach(host: string): Promise<unknown> {
  const found = { getContainerRuntimeClient: async () => engineAt(host) } as unknown as Testcontainers
  return reachEngine(found)
}

// A link-local address needs its interface.
const addresses = Object.values(networkInterfaces())
  .flatMap((known = []) => known)
  .filter(({ address }) => !address.startsWith('fe80:'))
  .map(({ address }) => address)

// In a container with its own engine, Testcontainers names the engine by its bridge.
test.for(['localhost', '[::1]', ...addresses])('an engine at %s runs on this machine', async (host) => {
  expect(await reach(host)).toEqual(engineAt(host))
})

test.for(['203.0.113.77', 'engine.example'])('an engine at %s runs on another machine', async (host) => {
  await expect(reach(host)).rejects.toMatchObject({
    message: `The container engine is not on this machine, but at ${host}.`,
  })
})
