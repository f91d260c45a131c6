import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSimulator, memoryRulesFile, type RulesFile } from '../../index.ts'
import { key, post, ruleText, send } from '../../testing/client.ts'
import { liveList } from '../store/live-list.ts'
import { groupCommit } from './group-commit.ts'

/** A simulator whose first write of the file waits for `finish`, and that counts its writes. */
async function withSlowFile() {
  const memory = memoryRulesFile()
  const writes: string[] = []
  let finish: () => void = () => undefined
  let fail: (error: Error) => void = () => undefined
  let start: () => void = () => undefined
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const first = new Promise<void>((resolve, reject) => {
    finish = resolve
    fail = reject
  })
  const arrivals: (() => void)[] = []
  const rulesFile: RulesFile = {
    ...memory,
    write: async (bytes) => {
      writes.push('whole')
      start()
      if (writes.length === 1) await first
      await memory.write(bytes)
    },
    appender: () => {
      const append = memory.appender?.()
      return async (bytes) => {
        writes.push('added')
        return (await append?.(bytes)) ?? false
      }
    },
  }
  const simulator = createSimulator({
    port: 0,
    apiKey: key,
    rulesFile,
    override: ({ readDirection }) => ({
      readDirection: (value) => {
        arrivals.shift()?.()
        return readDirection(value)
      },
    }),
  })
  await simulator.start()
  const arrived = async (count: number) => {
    await Promise.all(Array.from({ length: count }, () => new Promise<void>((resolve) => arrivals.push(resolve))))
    // From here on, a request waits for the mutex.
    await setImmediate()
  }
  return { simulator, writes, started, arrived, finish, fail }
}

test('changes that arrive in one turn of the event loop share a write', async () => {
  const saved: number[] = []
  const commit = groupCommit(liveList([]), async ({ changes }) => void saved.push(changes.length))
  const response = { status: 200, body: undefined, headers: {} }
  const committed = [1, 2, 3].map(async (ticks) => {
    // Each turn starts when all promises of the previous one have settled.
    for (let tick = 0; tick < ticks; tick += 1) await new Promise<void>((resolve) => process.nextTick(resolve))
    return commit(() => ({ response }))
  })
  expect(await Promise.all(committed)).toEqual([response, response, response])
  expect(saved).toEqual([3])
})

test('changes that arrive while the file is written share the next write, and each has its own index', async () => {
  const { simulator, writes, started, arrived, finish } = await withSlowFile()
  await using _ = simulator
  const add = (number: number) => post(simulator, ruleText({ follower: `${number}` }))
  const adding = [add(1)]
  await started
  const others = arrived(5)
  adding.push(...[2, 3, 4, 5, 6].map(add))
  await others
  expect(JSON.parse((await send(simulator)).text).total).toBe(0)
  finish()
  const replies = (await Promise.all(adding)).map(({ text }) => JSON.parse(text))
  expect(replies.map(({ index }) => index).toSorted()).toEqual([0, 1, 2, 3, 4, 5])
  for (const { index, follower } of replies) expect(simulator.rules[index]?.follower).toBe(BigInt(follower))
  expect(writes).toEqual(['whole', 'added'])
  const before = simulator.rules
  await simulator.restart()
  expect(simulator.rules).toEqual(before)
})

test('if a write fails, only its changes get 500, and the next one replaces the file', async () => {
  const { simulator, writes, started, arrived, fail } = await withSlowFile()
  await using _ = simulator
  const failing = post(simulator, ruleText({ follower: '1' }))
  await started
  const second = arrived(1)
  const next = post(simulator, ruleText({ follower: '2' }))
  await second
  fail(new Error('disk full'))
  expect([(await failing).status, (await next).status]).toEqual([500, 201])
  expect(simulator.rules).toHaveLength(1)
  expect(writes).toEqual(['whole', 'whole'])
  await simulator.restart()
  expect(simulator.rules).toHaveLength(1)
})

test('a change that cannot be appended to the file is saved with the whole list', async () => {
  const memory = memoryRulesFile()
  const full = () => Promise.reject(new Error('no space left on the device'))
  await using simulator = createSimulator({ port: 0, apiKey: key, rulesFile: { ...memory, appender: () => full } })
  await simulator.start()
  const replies = [await post(simulator, ruleText()), await post(simulator, ruleText({ follower: '7' }))]
  expect(replies.map(({ status }) => status)).toEqual([201, 201])
  const before = simulator.rules
  await simulator.restart()
  expect(simulator.rules).toEqual(before)
})

test('the journal has the list before and after each change of a group', async () => {
  const { simulator, arrived, finish } = await withSlowFile()
  await using _ = simulator
  const all = arrived(4)
  const adding = Array.from({ length: 4 }, () => post(simulator, ruleText()))
  await all
  finish()
  await Promise.all(adding)
  const counts = simulator.control.journal.find().map(({ rulesBefore, rulesAfter }) => [rulesBefore, rulesAfter])
  expect(counts).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
  ])
})
