import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { expectEqual, expectStatus } from '../assertions/expect.ts'
import { FailedExpectation } from '../assertions/failure.ts'
import { judge } from './judge.ts'
import { check, contextOf, followers, foreign, own } from './judged.test-data.ts'

test('a clean-up with one lost response is repeated', async () => {
  let cuts = 0
  const { context, simulator } = await foreign({}, ({ method, socket }) => {
    if (method !== 'DELETE' || cuts > 0) return false
    cuts += 1
    socket.destroy()
    return true
  })
  const outcome = await judge(
    check(async ({ rules }) => {
      await rules.arrange(2)
    }),
    context,
  )
  expect({ status: outcome.status, stopped: context.state.stopped, cuts }).toEqual({
    status: 'passed',
    stopped: null,
    cuts: 1,
  })
  expect(followers(simulator.rules)).toEqual([2001, 2002])
})

const endings: readonly (readonly [string, () => Promise<void>])[] = [
  ['passes', async () => undefined],
  [
    'fails',
    () => Promise.reject(new FailedExpectation('rule.mode-changed', { expected: 'a', actual: 'b', difference: null })),
  ],
  ['breaks', () => Promise.reject(new TypeError('a bug'))],
]

test.for(endings)('the list is restored if a check that added rules %s', async ([, end]) => {
  const { simulator, context } = await foreign()
  await judge(
    check(async ({ rules }) => {
      await rules.arrange(3)
      await end()
    }),
    context,
  )
  expect(followers(simulator.rules)).toEqual([2001, 2002])
})

test('the rule that another client adds during a check stays', async () => {
  const { simulator, context } = await foreign()
  await judge(
    check(async ({ rules, plugin }) => {
      await rules.arrange(1)
      await plugin.add({ master: 5, follower: 2003, mode: 'mult', value: 1, direction: 'same' })
      await rules.arrange(1)
    }),
    context,
  )
  expect(followers(simulator.rules)).toEqual([2001, 2002, 2003])
})

test('a foreign rule that a check removed is restored on a server of the kit’s own', async () => {
  const { context } = await own()
  await judge(
    check(async ({ plugin }) => {
      await plugin.remove(0)
    }),
    context,
  )
  expect(followers(await context.main.rules.read())).toEqual([2001, 2002])
})

test('if the kit’s rules are not removed, later checks add none', async () => {
  const { context, simulator } = await foreign({ override: () => ({ removeRule: (list) => list }) })
  const removes = check(async ({ rules }) => {
    const [only] = await rules.arrange(1)
    expectStatus(await rules.sendRemoval(only), 200)
    expectEqual('list.length-wrong', (await rules.read()).length, 2)
  })
  const adds = check(async ({ rules }) => {
    await rules.arrange(1)
  })
  const reads = check(async ({ rules }) => {
    await rules.read()
  }, 'read')
  expect(await judge(removes, context)).toMatchObject({ status: 'failed' })
  expect(await judge(adds, context)).toMatchObject({
    status: 'blocked',
    message: expect.stringContaining('does not remove'),
    stop: null,
    exchanges: [],
  })
  expect(await judge(reads, context)).toMatchObject({ status: 'passed' })
  expect(simulator.rules).toHaveLength(3)
})

test('a server that does not remove the kit’s rules has failed the requirement about that, whichever check added them', async () => {
  const { context } = await foreign({ override: () => ({ removeRule: (list) => list }) })
  const adds = check(async ({ rules }) => void (await rules.arrange(1)))
  expect(await judge(adds, context)).toMatchObject({ status: 'passed' })
  const about = { ...check(async () => undefined), requirement: 'plugin.rule.exists-until-removed' }
  const { status, message, decidedBy, exchanges } = await judge(about, context)
  expect({ status, message }).toEqual({
    status: 'failed',
    message: 'After several DELETE requests, each answered with 200: A removed rule is listed.',
  })
  expect(exchanges.find(({ id }) => id === decidedBy)?.request.method).toBe('DELETE')
})

test('a server of the kit’s own that removes no rules is recreated and judged to the end', async () => {
  const { context } = await own({ override: () => ({ removeRule: (list) => list }) })
  const adds = check(async ({ rules }) => {
    await rules.arrange(1)
  })
  for (let i = 0; i < 2; i += 1) expect(await judge(adds, context)).toMatchObject({ status: 'passed' })
})

test('servers that a check launched are stopped after it', async () => {
  const { context } = await own()
  const launched: { refusesConnections(): Promise<boolean> }[] = []
  const outcome = await judge(
    check(async ({ launch }) => {
      const server = await launch({ copy: { Copy_1: '1>2,mult,1,same' } })
      launched.push(server)
      expectStatus(await server.plugin.status(), 200)
      if (await server.refusesConnections()) throw new Error('it does not listen')
    }),
    context,
  )
  expect(outcome.status).toBe('passed')
  expect(await launched[0]?.refusesConnections()).toBe(true)
})

test('a target that goes away during the clean-up is not used again', async () => {
  const { context, close } = await foreign()
  await judge(
    check(async ({ rules }) => {
      await rules.arrange(1)
      close()
    }),
    context,
  )
  expect(
    await judge(
      check(async () => undefined),
      context,
    ),
  ).toMatchObject({
    status: 'blocked',
    message: expect.stringMatching(/^the target stopped answering/),
    stop: 'unreachable',
  })
})

test('harm that only the clean-up of a check finds is decided by the request that did it', async () => {
  const { url } = await foreign({ override: () => ({ removeRule: (list) => list.slice(1) }) })
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const before = await contextOf(url).main.rules.read()
  const safety = { before, ledgerFile: join(folder, 'ledger.jsonl'), mostWrites: 100 }
  const adds = check(async ({ rules }) => void (await rules.arrange(1)))
  const judged = { ...adds, requirement: 'plugin.delete.keeps-order' }
  const { status, code, decidedBy, exchanges } = await judge(judged, contextOf(url, { safety }))
  expect({ status, code }).toEqual({ status: 'failed', code: 'list.other-removed' })
  expect(exchanges.find(({ id }) => id === decidedBy)?.request.method).toBe('DELETE')
})
