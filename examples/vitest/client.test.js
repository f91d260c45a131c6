import { simulatorTest } from 'copytrade-tck/vitest'
import { expect } from 'vitest'
import { createClient } from './client.js'

const test = simulatorTest({
  parameters: { Copy_1: '1001>2001,mult,1.0,same', Copy_2: '1002>2002,mult,1.0,same' },
  capacity: 3,
  failOnUnexpected: true,
})

const rule = { master: 3005, follower: 45163, mode: 'mult', value: 1.5, direction: 'same' }

test('removes the rule that was meant, though the indices have shifted', async ({ simulator, apiKey }) => {
  const client = createClient(simulator.url, apiKey)
  await client.add(rule)
  await client.remove(1001, 2001)
  await client.remove(3005, 45163)
  expect((await client.list()).map(({ follower }) => follower)).toEqual([2002])
  expect(simulator.control.clientReport().mistakes).toEqual([])
})

test('says so when the plugin is full', async ({ simulator, apiKey }) => {
  const client = createClient(simulator.url, apiKey)
  await client.add(rule)
  await expect(client.add({ ...rule, follower: 46569 })).rejects.toThrow('500')
})

test('does not take a broken connection for success', async ({ simulator, apiKey }) => {
  simulator.control.faults.add({ when: { method: 'POST' }, effect: { kind: 'lose-answer' } })
  await expect(createClient(simulator.url, apiKey).add(rule)).rejects.toThrow()
})

test('is rejected with a wrong key', async ({ simulator, expectRejections }) => {
  expectRejections(401)
  await expect(createClient(simulator.url, 'wrong').list()).rejects.toThrow('401')
})
