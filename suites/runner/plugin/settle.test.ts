import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../../simulator/index.ts'
import { directTransport } from '../../client/transport.ts'
import { createEmbeddedDriver, type SimulatorTraits } from '../../targets/embedded.ts'
import { createPluginContext, type PluginContext } from './context.ts'
import { releaseFiller, settle } from './settle.ts'
import { unguardedSettings } from './unguarded-settings.ts'

const key = 'a-key-for-tests'
const parameters = { API_Key: key, Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }

/** A server that the kit started, with the list as it was before. */
async function own(traits: SimulatorTraits = {}) {
  const driver = createEmbeddedDriver(traits)
  onTestFinished(() => driver.discardAll())
  const prepared = await driver.prepare({ parameters, defaultPort: false, capacity: null })
  if (prepared === 'port-taken') throw new Error('no free port was found')
  const { id: server, url } = prepared
  await driver.start(server, 'ready')
  const target = {
    kind: 'simulator',
    transport: directTransport,
    url,
    key,
    server,
    capabilities: [],
    capacity: null,
  } as const
  const context = createPluginContext(unguardedSettings(target, 1), driver)
  context.before = await context.main.rules.read()
  context.recorder.take()
  return { context, driver, server }
}

/** A foreign server. */
async function foreign(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ port: 0, parameters, ...options })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const target = {
    kind: 'url',
    transport: directTransport,
    url: simulator.url,
    key,
    server: null,
    capabilities: [],
    capacity: null,
  } as const
  const context = createPluginContext(unguardedSettings(target, 1), null)
  context.before = await context.main.rules.read()
  context.recorder.take()
  return { context, simulator }
}

const followersOf = async ({ main }: PluginContext) => (await main.rules.read()).map(({ follower }) => follower)
const methods = ({ recorder }: PluginContext) => recorder.take().exchanges.map(({ request }) => request.method)

test('before the list was looked at there is nothing to settle', async () => {
  const { context } = await foreign()
  context.before = null
  await settle(context)
  expect(methods(context)).toEqual([])
})

test('a server of the kit’s own that lost rules is created again', async () => {
  const { context } = await own()
  await context.main.plugin.remove(0)
  await settle(context)
  expect(await followersOf(context)).toEqual([2001, 2002])
  expect(context.before).toBeNull()
})

test('a server of the kit’s own whose order changed is created again', async () => {
  const { context } = await own()
  await context.main.plugin.remove(0)
  await context.main.plugin.add({ master: 1001, follower: 2001, mode: 'mult', value: 1.5, direction: 'same' })
  expect(await followersOf(context)).toEqual([2002, 2001])
  await settle(context)
  expect(await followersOf(context)).toEqual([2001, 2002])
})

test('a server of the kit’s own with a few rules too many has them removed and lives on', async () => {
  const { context } = await own()
  const { before } = context
  await context.main.rules.arrange(3)
  context.recorder.take()
  await settle(context)
  expect(methods(context)).toEqual(['GET', 'DELETE', 'DELETE', 'DELETE', 'GET'])
  expect(context.before).toBe(before)
  expect(await followersOf(context)).toEqual([2001, 2002])
})

test('a server of the kit’s own with very many rules is created again, which is faster', async () => {
  const { context } = await own()
  await context.main.rules.arrange(25)
  context.recorder.take()
  await settle(context)
  expect(methods(context)).not.toContain('DELETE')
  expect(await followersOf(context)).toEqual([2001, 2002])
})

test('a server of the kit’s own that removes nothing is created again', async () => {
  const { context } = await own({ override: () => ({ removeRule: (list) => list }) })
  await context.main.rules.arrange(2)
  await settle(context)
  expect(await followersOf(context)).toEqual([2001, 2002])
})

test('a server of the kit’s own that died is started again', async () => {
  const { context, driver, server } = await own()
  await driver.crash(server)
  expect(await context.isAnswering()).toBe(false)
  await settle(context)
  expect(await context.isAnswering()).toBe(true)
})

test('the rules that keep the list full stay until they are given up', async () => {
  for (const { context } of [await own(), await foreign()]) {
    const kept = context.draft()
    await context.main.rules.arrange([kept, context.draft()])
    context.filler.push(kept)
    await settle(context)
    expect(await followersOf(context)).toEqual([2001, 2002, kept.follower])
    await releaseFiller(context)
    expect(context.filler).toEqual([])
    expect(context.recorder.take().exchanges).toEqual([])
    expect(await followersOf(context)).toEqual([2001, 2002])
  }
})

test('without rules that keep the list full nothing is sent to give them up', async () => {
  const { context } = await foreign()
  await context.main.rules.arrange(1)
  context.recorder.take()
  await releaseFiller(context)
  expect(methods(context)).toEqual([])
})

test('a foreign server is left alone but for the rules of the kit', async () => {
  const { context, simulator } = await foreign()
  await context.main.plugin.remove(0)
  await context.main.rules.arrange(2)
  await settle(context)
  expect(simulator.rules.map(({ follower }) => Number(follower))).toEqual([2002])
  expect(context.before).toHaveLength(2)
})
