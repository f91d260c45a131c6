import { expect, test } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts'
import { ErrorResponse } from '../../simulator/server/response.ts'
import { clientFor } from '../client/client.test-data.ts'
import { createRecorder } from '../client/recorder.ts'
import { type Draft, sameContent } from '../model/rule.ts'
import { createDrafts, defaultLogins } from '../session/logins.ts'
import { createPlugin } from '../session/plugin.ts'
import { createRules } from '../session/rules.ts'
import { cleanUp } from './clean-up.ts'
import { ownByRange } from './ownership.ts'

const key = 'a-key-for-tests'
const others = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }

/** A simulator with foreign rules, its operations, and the paths of its DELETE requests. */
async function open(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...others }, ...options })
  await simulator.start()
  const recorder = createRecorder((text) => text)
  const plugin = createPlugin(clientFor(simulator.url, { recorder }), key)
  const rules = createRules({ plugin, draft: createDrafts(defaultLogins, 5) })
  const removals = () =>
    recorder
      .take()
      .exchanges.filter(({ request }) => request.method === 'DELETE')
      .map(({ request }) => request.url.split('/').at(-1))
  return { simulator, plugin, rules, removals, [Symbol.asyncDispose]: () => simulator.stop() }
}

const followers = ({ rules }: Simulator) => rules.map(({ follower }) => Number(follower))
const foreign: Draft = { master: 1003, follower: 2003, mode: 'mult', value: 2, direction: 'same' }

test('the rules of the kit are removed, preferably followed by another one of the kit, and the list is as before', async () => {
  await using opened = await open()
  const before = await opened.rules.read()
  await opened.rules.arrange(3)
  opened.removals()
  expect(await cleanUp(opened.plugin, ownByRange(defaultLogins, before))).toEqual({ list: before, fault: null })
  expect(opened.removals()).toEqual(['2', '2', '2'])
  expect(followers(opened.simulator)).toEqual([2001, 2002])
})

test('a rule that another client added during the clean-up stays, at any position', async () => {
  await using opened = await open()
  const before = await opened.rules.read()
  await opened.rules.arrange([opened.rules.draft(), foreign, opened.rules.draft()])
  const { list: after } = await cleanUp(opened.plugin, ownByRange(defaultLogins, before))
  expect(after.map(({ follower }) => follower)).toEqual([2001, 2002, 2003])
  expect(followers(opened.simulator)).toEqual([2001, 2002, 2003])
})

test('a rule with only one login of the kit, master or follower, belongs to the kit', async () => {
  await using opened = await open()
  const before = await opened.rules.read()
  const { from, to } = defaultLogins
  await opened.rules.arrange([
    { ...foreign, master: from },
    { ...foreign, follower: to },
    { ...foreign, master: from - 1, follower: to + 1 },
    { ...foreign, master: 2 ** 40, follower: from },
  ])
  await cleanUp(opened.plugin, ownByRange(defaultLogins, before))
  expect(followers(opened.simulator)).toEqual([2001, 2002, to + 1])
})

test('an existing rule stays, even with logins and contents of a rule of the kit', async () => {
  const mine = '900000003>900000004,mult,1.5,same'
  await using opened = await open({ parameters: { API_Key: key, Copy_1: mine, Copy_2: '1>2,mult,1,same' } })
  const before = await opened.rules.read()
  await opened.rules.arrange(1)
  await opened.plugin.add({ master: 900_000_003, follower: 900_000_004, mode: 'mult', value: 1.5, direction: 'same' })
  expect(opened.simulator.rules).toHaveLength(4)
  const { list: after } = await cleanUp(opened.plugin, ownByRange(defaultLogins, before))
  expect(after.slice(0, 2)).toEqual(before)
  expect(after.slice(2).map(({ follower }) => follower)).toEqual([900_000_004])
})

test('rules to keep for the next check stay', async () => {
  await using opened = await open()
  const before = await opened.rules.read()
  const [first, kept, last] = [opened.rules.draft(), opened.rules.draft(), opened.rules.draft()]
  await opened.rules.arrange([first, kept, last])
  const isOwn = ownByRange(defaultLogins, before)
  const { list: after } = await cleanUp(opened.plugin, (rule) => isOwn(rule) && !sameContent(rule, kept))
  expect(after.map(({ follower }) => follower)).toEqual([2001, 2002, kept.follower])
})

test('a server that lists a removed rule for a moment longer gets rid of every rule of the kit', async () => {
  let cachedUntil = 0
  let cached: Uint8Array = new Uint8Array()
  await using opened = await open({
    override: ({ removeRule }) => ({
      removeRule: (list, position) => {
        cachedUntil = performance.now() + 150
        return removeRule(list, position)
      },
      writtenList: (_, write) => {
        if (performance.now() > cachedUntil) cached = write()
        return cached
      },
    }),
  })
  const before = await opened.rules.read()
  await opened.rules.arrange(2)
  expect(await cleanUp(opened.plugin, ownByRange(defaultLogins, before))).toEqual({ list: before, fault: null })
  expect(followers(opened.simulator)).toEqual([2001, 2002])
})

test('a server that only claims to remove rules keeps one after three DELETE', async () => {
  await using opened = await open({ override: () => ({ removeRule: (list) => list }) })
  const before = await opened.rules.read()
  await opened.rules.arrange(3)
  opened.removals()
  const { list, fault } = await cleanUp(opened.plugin, ownByRange(defaultLogins, before))
  expect({ left: list.length, actual: fault?.actual }).toEqual({ left: 5, actual: expect.stringMatching(/^#2 /) })
  expect(opened.removals()).toEqual(['2', '2', '2'])
})

test('a DELETE without effect is sent again', async () => {
  let ignored = 0
  await using opened = await open({
    override: ({ removeRule }) => ({
      removeRule: (list, position) => {
        ignored += 1
        return ignored <= 2 ? list : removeRule(list, position)
      },
    }),
  })
  const before = await opened.rules.read()
  await opened.rules.arrange(2)
  expect(await cleanUp(opened.plugin, ownByRange(defaultLogins, before))).toEqual({ list: before, fault: null })
})

test('a DELETE without effect is not sent again if a foreign rule is behind: the list may only be late', async () => {
  await using opened = await open({ override: () => ({ removeRule: (list) => list }) })
  const before = await opened.rules.read()
  await opened.rules.arrange([opened.rules.draft(), foreign])
  opened.removals()
  expect(await cleanUp(opened.plugin, ownByRange(defaultLogins, before))).toMatchObject({ fault: null })
  expect(opened.removals()).toEqual(['2'])
})

test('a rule that is added again after each DELETE, as another client may do, does not count against the server', async () => {
  await using opened = await open({
    override: ({ removeRule }) => ({
      removeRule: (list, position) => [...removeRule(list, position), ...list.slice(position, position + 1)],
    }),
  })
  const before = await opened.rules.read()
  await opened.rules.arrange(2)
  expect(await cleanUp(opened.plugin, ownByRange(defaultLogins, before))).toMatchObject({ fault: null })
})

test('it ends even if the server rejects removals', async () => {
  await using opened = await open()
  const before = await opened.rules.read()
  await opened.rules.arrange(2)
  const refused = createPlugin(clientFor(opened.simulator.url), 'a wrong key')
  const { list, fault } = await cleanUp({ ...opened.plugin, remove: refused.remove }, ownByRange(defaultLogins, before))
  expect({ left: list.length, fault }).toEqual({ left: 4, fault: null })
})

test.for([
  { times: 2, left: 2, sent: ['2', '2', '2'] },
  { times: 9, left: 3, sent: ['2', '2', '2'] },
])(
  'a DELETE that fails with 502 and changes nothing is sent again, at most twice: $times times',
  async ({ times, left, sent }) => {
    let failures = 0
    await using opened = await open({
      override: ({ removeRule }) => ({
        removeRule: (list, position) => {
          if (failures === times) return removeRule(list, position)
          failures += 1
          throw new ErrorResponse(502, 'no healthy upstream')
        },
      }),
    })
    const before = await opened.rules.read()
    await opened.rules.arrange(1)
    opened.removals()
    const { list, fault } = await cleanUp(opened.plugin, ownByRange(defaultLogins, before))
    expect({ left: list.length, fault, sent: opened.removals() }).toEqual({ left, fault: null, sent })
  },
)

test('if nothing was added, only the list is read', async () => {
  await using opened = await open()
  const before = await opened.rules.read()
  opened.removals()
  expect(await cleanUp(opened.plugin, ownByRange(defaultLogins, before))).toEqual({ list: before, fault: null })
  expect(opened.removals()).toEqual([])
})

test('indices that start at 1 are respected', async () => {
  await using opened = await open({ profile: { 'plugin.index.base': '1' } })
  const before = await opened.rules.read()
  await opened.rules.arrange(2)
  await cleanUp(opened.plugin, ownByRange(defaultLogins, before))
  expect(followers(opened.simulator)).toEqual([2001, 2002])
})
