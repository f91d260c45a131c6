import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../../simulator/index.ts'
import { NoResponse } from '../../client/response.ts'
import type { SimulatorSettings } from '../../targets/embedded.ts'
import { foreign as startForeign, own as startOwn } from '../judged.test-data.ts'
import { cleanUpAfterCheck, removeFillRules } from './clean-up-after-check.ts'
import type { PluginContext } from './context.ts'

/** Reads the list first, as it was before. */
async function looked<Server extends { readonly context: PluginContext }>(server: Server): Promise<Server> {
  const { context } = server
  context.before = await context.main.rules.read()
  context.recorder.take()
  return server
}

const own = async (settings?: SimulatorSettings) => looked(await startOwn(settings))
const foreign = async (options?: SimulatorOptions) => looked(await startForeign(options))

const followersOf = async ({ main }: PluginContext) => (await main.rules.read()).map(({ follower }) => follower)
const methods = ({ recorder }: PluginContext) => recorder.take().exchanges.map(({ request }) => request.method)

test('before the list was read there is nothing to clean up', async () => {
  const { context } = await foreign()
  context.before = null
  await cleanUpAfterCheck(context)
  expect(methods(context)).toEqual([])
})

test('a server of the kit’s own that lost rules is recreated', async () => {
  const { context } = await own()
  await context.main.plugin.remove(0)
  await cleanUpAfterCheck(context)
  expect(await followersOf(context)).toEqual([2001, 2002])
  expect(context.before).toBeNull()
})

test('a server of the kit’s own whose order changed is recreated', async () => {
  const { context } = await own()
  await context.main.plugin.remove(0)
  await context.main.plugin.add({ master: 1001, follower: 2001, mode: 'mult', value: 1.5, direction: 'same' })
  expect(await followersOf(context)).toEqual([2002, 2001])
  await cleanUpAfterCheck(context)
  expect(await followersOf(context)).toEqual([2001, 2002])
})

test('a few extra rules are removed from a server of the kit’s own, which keeps running', async () => {
  const { context } = await own()
  const { before } = context
  await context.main.rules.arrange(3)
  context.recorder.take()
  await cleanUpAfterCheck(context)
  expect(methods(context)).toEqual(['GET', 'DELETE', 'DELETE', 'DELETE', 'GET'])
  expect(context.before).toBe(before)
  expect(await followersOf(context)).toEqual([2001, 2002])
})

test('a server of the kit’s own with many extra rules is recreated, which is faster', async () => {
  const { context } = await own()
  await context.main.rules.arrange(25)
  context.recorder.take()
  await cleanUpAfterCheck(context)
  expect(methods(context)).not.toContain('DELETE')
  expect(await followersOf(context)).toEqual([2001, 2002])
})

test('a server of the kit’s own that removes nothing is recreated', async () => {
  const { context } = await own({ override: () => ({ removeRule: (list) => list }) })
  await context.main.rules.arrange(2)
  await cleanUpAfterCheck(context)
  expect(await followersOf(context)).toEqual([2001, 2002])
})

test('a server of the kit’s own that crashed is restarted, and the crash is not passed over', async () => {
  const { context, driver, server } = await own()
  await driver.crash(server)
  expect(await context.isAnswering()).toBe(false)
  await expect(cleanUpAfterCheck(context)).rejects.toThrow(NoResponse)
  expect(await context.isAnswering()).toBe(true)
})

test('the rules that keep the list full stay until they are released', async () => {
  for (const { context } of [await own(), await foreign()]) {
    const kept = context.draft()
    await context.main.rules.arrange([kept, context.draft()])
    context.filler.push(kept)
    await cleanUpAfterCheck(context)
    expect(await followersOf(context)).toEqual([2001, 2002, kept.follower])
    await removeFillRules(context)
    expect(context.filler).toEqual([])
    expect(context.recorder.take().exchanges).toEqual([])
    expect(await followersOf(context)).toEqual([2001, 2002])
  }
})

test('without rules that keep the list full nothing is sent to release them', async () => {
  const { context } = await foreign()
  await context.main.rules.arrange(1)
  context.recorder.take()
  await removeFillRules(context)
  expect(methods(context)).toEqual([])
})

test('on a foreign server only rules of the kit are removed', async () => {
  const { context, simulator } = await foreign()
  await context.main.plugin.remove(0)
  await context.main.rules.arrange(2)
  await cleanUpAfterCheck(context)
  expect(simulator.rules.map(({ follower }) => Number(follower))).toEqual([2002])
  expect(context.before).toHaveLength(2)
})
