import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../../simulator/index.ts'
import { directTransport } from '../../client/transport.ts'
import { cleanUpAfterCheck } from './clean-up-after-check.ts'
import type { PluginContext } from './context.ts'
import { createPluginContext } from './create-context.ts'
import { fullReason } from './full-list.ts'
import { unguardedSettings } from './settings.ts'

const key = 'a-key-for-tests'
const others = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }

/** A simulator with two foreign rules, its context, and the exchanges of one rejected rule. */
async function open(options: SimulatorOptions = {}, server: string | null = null, stated: number | null = null) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...others }, ...options })
  await simulator.start()
  const { url } = simulator
  const target = {
    kind: 'url',
    transport: directTransport,
    url,
    key,
    server,
    capabilities: [],
    capacity: stated,
  } as const
  const context = createPluginContext({ ...unguardedSettings(target, 1), risk: 'write' }, null)
  context.before = await context.main.rules.read()
  context.recorder.take()
  await context.main.plugin.add(context.draft())
  const { exchanges } = context.recorder.take()
  return { simulator, context, exchanges, [Symbol.asyncDispose]: () => simulator.stop() }
}

test('a foreign list that accepts no ordinary rule is full', async () => {
  await using opened = await open({ capacity: 2 })
  expect(await fullReason(opened.context, opened.exchanges)).toContain('full with 2 rules')
})

test('a list that the check itself filled up to the stated capacity is full', async () => {
  await using opened = await open({ capacity: 3 }, null, 3)
  await opened.context.main.plugin.add(opened.context.draft())
  const { exchanges } = opened.context.recorder.take()
  expect(await fullReason(opened.context, exchanges)).toContain('full with 3 rules')
})

test('a list with fewer rules than the stated capacity is not full, whatever the server responds', async () => {
  await using opened = await open({ capacity: 2 }, null, 3)
  expect(await fullReason(opened.context, opened.exchanges)).toBeNull()
})

test('a restarted foreign list with its rules is full', async () => {
  await using opened = await open({ capacity: 2 })
  const { context, exchanges } = opened
  const { url } = context.settings.target
  const restarted = { url, copied: 0, ...context.launchedAccess(url, key, true) }
  expect(await fullReason(context, exchanges, [restarted])).toContain('full with 2 rules')
  // If it were leased without them, it would have rejected the first rule of an empty list.
  context.leased = true
  expect(await fullReason(context, exchanges, [restarted])).toBeNull()
})

test('a list that accepts a rule is not full, and the rule is removed afterwards', async () => {
  await using opened = await open({ capacity: 2 })
  await opened.context.main.plugin.remove(0)
  opened.context.before = await opened.context.main.rules.read()
  expect(await fullReason(opened.context, opened.exchanges)).toBeNull()
  await cleanUpAfterCheck(opened.context)
  expect(opened.simulator.rules.map(({ follower }) => Number(follower))).toEqual([2002])
})

test('nothing is sent if no POST got 500', async () => {
  await using opened = await open({ capacity: 3 })
  expect(opened.exchanges.map(({ response }) => response?.status)).toEqual([201])
  expect(await fullReason(opened.context, opened.exchanges)).toBeNull()
  expect(opened.context.recorder.take().exchanges).toEqual([])
})

test('a 500 to a request that adds nothing does not count', async () => {
  await using opened = await open({ capacity: 2 })
  const [exchange] = opened.exchanges
  if (exchange === undefined) throw new Error('nothing was recorded')
  const asked = { ...exchange, request: { ...exchange.request, method: 'DELETE' } }
  expect(await fullReason(opened.context, [asked])).toBeNull()
  const raw = { ...exchange, request: { ...exchange.request, method: 'RAW' } }
  expect(await fullReason(opened.context, [raw])).not.toBeNull()
})

test.for([
  'an empty list that has not taken a rule',
  'a list that was filled on purpose',
  'a list that was not read',
] as const)('%s is never considered full', async (what) => {
  await using opened = await open({ capacity: 2 })
  if (what.startsWith('an empty list')) opened.context.before = []
  if (what === 'a list that was not read') opened.context.before = null
  if (what === 'a list that was filled on purpose') opened.context.filled = true
  expect(await fullReason(opened.context, opened.exchanges)).toBeNull()
  expect(posts(opened.context)).toEqual([])
})

/** The status of each POST since the last call. */
const posts = ({ recorder }: PluginContext) =>
  recorder.take().exchanges.flatMap(({ request, response }) => (request.method === 'POST' ? [response?.status] : []))

/** A simulator without rules, and the exchanges of this number of additions. */
async function fromEmpty(additions: number, { options = {}, server = null, capacity = null }: FromEmpty = {}) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key }, capacity: 6, ...options })
  await simulator.start()
  const { url } = simulator
  const target = { kind: 'url', transport: directTransport, url, key, server, capabilities: [], capacity } as const
  const context = createPluginContext({ ...unguardedSettings(target, 1), risk: 'write' }, null)
  context.before = []
  for (let i = 0; i < additions; i += 1) await context.main.plugin.add(context.draft())
  return { simulator, context, [Symbol.asyncDispose]: () => simulator.stop() }
}

interface FromEmpty {
  readonly options?: SimulatorOptions
  readonly server?: string | null
  /** The stated capacity. */
  readonly capacity?: number | null
}

test.for(['another owner', 'the kit'])(
  'a list of %s that was empty is full after it accepted some rules',
  async (owner) => {
    await using opened = await fromEmpty(7, { server: owner === 'the kit' ? 's1' : null })
    const { exchanges } = opened.context.recorder.take()
    expect(await fullReason(opened.context, exchanges)).toContain('full with 6 rules')
  },
)

test('a server of the kit is full with its initial rules if it accepts one rule instead of another and no more', async () => {
  await using opened = await open({ capacity: 2 }, 's1')
  const { context, exchanges } = opened
  expect(await fullReason(context, exchanges)).toContain('full with 2 rules')
  expect(posts(context)).toEqual([500, 201, 500])
  // A known capacity is not tried again.
  expect(await fullReason(context, exchanges)).toContain('full with 2 rules')
  expect(posts(context)).toEqual([500])
})

test.for([2, 1])('a server of the kit that started with 3 rules and has room for %i is full', async (capacity) => {
  const parameters = { API_Key: key, ...others, Copy_3: '1003>2003,mult,1,same' }
  await using opened = await open({ capacity, parameters, profile: { 'plugin.start.copy-over-capacity': 'all' } }, 's1')
  const { context, exchanges } = opened
  expect(await fullReason(context, exchanges)).toContain('full with 3 rules')
  expect(context.seenCapacity).toBe(capacity)
})

test('a full server that a check launched is recognised in the same way', async () => {
  await using main = await fromEmpty(0, { server: 's1' })
  await using launched = await open({ capacity: 2 }, 's2')
  const { url } = launched.context.settings.target
  const server = { url, copied: 2, ...launched.context.main }
  expect(await fullReason(main.context, launched.exchanges, [server])).toContain('full with 2 rules')
  expect(main.simulator.rules).toEqual([])
})

test.for([
  ['answers every rule with 500', 0],
  ['answers every rule but each third one with 500', 3],
  ['answers every rule but each second one with 500', 2],
] as const)('a server of the kit that %s is not full', async ([, taken]) => {
  let count = 0
  await using opened = await open(
    {
      capacity: 9,
      override: () => ({
        finish: (answer, { method }) => {
          if (method !== 'POST') return answer
          count += 1
          return taken > 0 && count % taken === 0 ? answer : { ...answer, status: 500 }
        },
      }),
    },
    's1',
  )
  expect(await fullReason(opened.context, opened.exchanges)).toBeNull()
})

test('a server whose empty list accepts no rule is not full', async () => {
  await using opened = await fromEmpty(1, { server: 's1', options: { capacity: 0 } })
  const { exchanges } = opened.context.recorder.take()
  expect(exchanges.map(({ response }) => response?.status)).toEqual([500])
  expect(await fullReason(opened.context, exchanges)).toBeNull()
})

/** A check started a server with this many `Copy_N` and sent nothing to it. */
const startedWith = ({ context }: { context: PluginContext }, copied: number) => [
  { url: 'http://127.0.0.1:1', copied, plugin: context.main.plugin, rules: context.main.rules },
]

test.for([
  ['stated', 2],
  ['unknown', null],
] as const)('with a %s capacity a start with more rules does not count, and nothing else', async ([, stated]) => {
  await using opened = await open({ capacity: 2 }, 's1', stated)
  expect(await fullReason(opened.context, [], startedWith(opened, 2))).toBeNull()
  expect(posts(opened.context)).toEqual([])
  expect(await fullReason(opened.context, [], startedWith(opened, 3))).toContain('room for 2')
})

test('a server that loaded too few rules and has room for more has failed', async () => {
  await using opened = await open({ capacity: 3 }, 's1')
  expect(await fullReason(opened.context, [], startedWith(opened, 3))).toBeNull()
})

test('rules that were accepted as raw bytes count too', async () => {
  await using opened = await fromEmpty(7)
  const { exchanges } = opened.context.recorder.take()
  const raw = exchanges.map((exchange) => ({ ...exchange, request: { ...exchange.request, method: 'RAW' } }))
  expect(await fullReason(opened.context, raw)).toContain('full with 6 rules')
})

test('a list at its stated capacity is full, even if the current check added none of its rules', async () => {
  await using opened = await fromEmpty(6, { server: 's1', capacity: 6 })
  opened.context.recorder.take()
  await opened.context.main.plugin.add(opened.context.draft())
  const { exchanges } = opened.context.recorder.take()
  expect(await fullReason(opened.context, exchanges)).toContain('full with 6 rules')
})

test('below its stated capacity no list is full', async () => {
  await using opened = await fromEmpty(7, { capacity: 7 })
  const { exchanges } = opened.context.recorder.take()
  expect(await fullReason(opened.context, exchanges)).toBeNull()
  expect(posts(opened.context)).toEqual([])
})

test('a list that had more rules in the same check is not full', async () => {
  await using opened = await fromEmpty(6)
  const { simulator, context } = opened
  await context.main.plugin.remove(0)
  await context.main.plugin.add(context.draft())
  await context.main.plugin.add(context.draft())
  await context.main.plugin.remove(0)
  const { exchanges } = context.recorder.take()
  expect(exchanges.map(({ response }) => response?.status)).toContain(500)
  expect(simulator.rules).toHaveLength(5)
  expect(await fullReason(context, exchanges)).toBeNull()
  expect(posts(context)).toEqual([])
})

test.for(['another owner', 'the kit'])(
  'a list of %s that accepts no rule, but accepted more in an earlier check, is not full',
  async (owner) => {
    let isWedged = false
    const options = { override: () => ({ isFull: () => isWedged }) }
    await using opened = await fromEmpty(4, { server: owner === 'the kit' ? 's1' : null, options })
    const { context } = opened
    expect(await context.main.rules.read()).toHaveLength(4)
    for (let i = 0; i < 4; i += 1) await context.main.plugin.remove(0)
    context.recorder.take()
    await context.main.plugin.add(context.draft())
    isWedged = true
    await context.main.plugin.add(context.draft())
    const { exchanges } = context.recorder.take()
    expect(exchanges.map(({ response }) => response?.status)).toEqual([201, 500])
    expect(await fullReason(context, exchanges)).toBeNull()
  },
)

test('a list that was longer only because its start loaded too many rules can be full', async () => {
  const parameters = { API_Key: key, ...others, Copy_3: '1003>2003,mult,1,same' }
  const profile = { 'plugin.start.copy-over-capacity': 'all' } as const
  await using opened = await open({ capacity: 2, parameters, profile })
  const { context } = opened
  expect(await context.main.rules.read()).toHaveLength(3)
  for (let i = 0; i < 2; i += 1) await context.main.plugin.remove(0)
  await context.main.plugin.add(context.draft())
  expect(await context.main.rules.read()).toHaveLength(2)
  context.recorder.take()
  await context.main.plugin.add(context.draft())
  const { exchanges } = context.recorder.take()
  expect(exchanges.map(({ response }) => response?.status)).toEqual([500])
  expect(await fullReason(context, exchanges)).toContain('full with 2 rules')
})

test('a list that lacks rules which were acknowledged is not full', async () => {
  await using opened = await fromEmpty(7)
  const { exchanges } = opened.context.recorder.take()
  await opened.context.main.plugin.remove(0)
  opened.context.recorder.take()
  expect(await fullReason(opened.context, exchanges)).toBeNull()
  expect(posts(opened.context)).toEqual([])
})

test('a server that answers 500 and keeps the rule is not full', async () => {
  await using opened = await fromEmpty(1, {
    options: {
      override: () => ({ finish: (answer) => (answer.status === 201 ? { ...answer, status: 500 } : answer) }),
    },
  })
  const { context } = opened
  const { exchanges } = context.recorder.take()
  const taken = exchanges.map((exchange) => ({
    ...exchange,
    response: exchange.response && { ...exchange.response, status: 201 },
  }))
  expect(await fullReason(context, [...taken, ...exchanges])).toBeNull()
  expect(posts(context)).toEqual([500])
})
