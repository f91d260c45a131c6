import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createOwnDriver } from './own-servers.ts'

test('a failure to remove one server is reported after the others are removed', async () => {
  const removed: number[] = []
  const driver = createOwnDriver(async () => {
    const number = removed.push(0) - 1
    return {
      rulesFile: { exists: async () => false, remove: async () => {}, write: async () => {} },
      launch: async () => null,
      async remove() {
        if (number === 0) throw new Error('the folder cannot be removed')
        await setImmediate()
        removed[number] = 1
      },
    }
  })
  const settings = { parameters: {}, port: 'given', capacity: null } as const
  for (let count = 0; count < 3; count += 1) await driver.prepare(settings)
  await expect(driver.discardAll()).rejects.toThrow('the folder cannot be removed')
  expect(removed).toEqual([0, 1, 1])
})
