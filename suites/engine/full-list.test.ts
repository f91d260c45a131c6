import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { directly } from '../http/transport.ts'
import { createContext } from './context.ts'
import { whyFull } from './full-list.ts'
import { settle } from './settle.ts'
import { unguardedSettings } from './unguarded-settings.ts'

const key = 'a-key-for-tests'
const others = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }

/** A simulator with two rules of others, a context for it, and the exchanges of one refused rule. */
async function open(options: SimulatorOptions = {}, server: string | null = null, stated: number | null = null) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...others }, ...options })
  await simulator.start()
  const { url } = simulator
  const target = { kind: 'url', transport: directly, url, key, server, capabilities: [], capacity: stated } as const
  const context = createContext({ ...unguardedSettings(target, 1), risk: 'write' }, null)
  context.before = await context.main.rules.read()
  context.recorder.take()
  await context.main.plugin.add(context.draft())
  const { exchanges } = context.recorder.take()
  return { simulator, context, exchanges, [Symbol.asyncDispose]: () => simulator.stop() }
}

test('a list of somebody else that takes no ordinary rule is full', async () => {
  await using opened = await open({ capacity: 2 })
  expect(await whyFull(opened.context, opened.exchanges)).toContain('full with 2 rules')
})

test('a list that the check itself filled up to the stated capacity is full', async () => {
  await using opened = await open({ capacity: 3 }, null, 3)
  await opened.context.main.plugin.add(opened.context.draft())
  const { exchanges } = opened.context.recorder.take()
  expect(await whyFull(opened.context, exchanges)).toContain('full with 3 rules')
})

test('a list with fewer rules than the stated capacity is not full, whatever the server says', async () => {
  await using opened = await open({ capacity: 2 }, null, 3)
  expect(await whyFull(opened.context, opened.exchanges)).toBeNull()
})

test('a list that takes a rule is not full, and that rule is taken back afterwards', async () => {
  await using opened = await open({ capacity: 2 })
  await opened.context.main.plugin.remove(0)
  opened.context.before = await opened.context.main.rules.read()
  expect(await whyFull(opened.context, opened.exchanges)).toBeNull()
  await settle(opened.context)
  expect(opened.simulator.rules.map(({ follower }) => Number(follower))).toEqual([2002])
})

test('where no rule was answered with 500 nothing is sent to find out', async () => {
  await using opened = await open({ capacity: 3 })
  expect(opened.exchanges.map(({ response }) => response?.status)).toEqual([201])
  expect(await whyFull(opened.context, opened.exchanges)).toBeNull()
  expect(opened.context.recorder.take().exchanges).toEqual([])
})

test('a 500 to another request than one that adds does not count', async () => {
  await using opened = await open({ capacity: 2 })
  const [exchange] = opened.exchanges
  if (exchange === undefined) throw new Error('nothing was recorded')
  const asked = { ...exchange, request: { ...exchange.request, method: 'DELETE' } }
  expect(await whyFull(opened.context, [asked])).toBeNull()
  const raw = { ...exchange, request: { ...exchange.request, method: 'RAW' } }
  expect(await whyFull(opened.context, [raw])).not.toBeNull()
})

test.for([
  'an empty list',
  'a list that the kit keeps full',
  'a server of the kit',
  'a list that was not read',
] as const)('%s is never taken for full', async (what) => {
  await using opened = await open({ capacity: 2 }, what === 'a server of the kit' ? 's1' : null)
  if (what === 'an empty list') opened.context.before = []
  if (what === 'a list that was not read') opened.context.before = null
  if (what === 'a list that the kit keeps full') opened.context.filler.push(opened.context.draft())
  expect(await whyFull(opened.context, opened.exchanges)).toBeNull()
  expect(opened.context.recorder.take().exchanges).toEqual([])
})
