import { expect, test, vi } from 'vitest'
import { expectEqual, expectStatus } from '../assertions/expect.ts'
import { CannotArrange, FailedExpectation, OutOfScope } from '../assertions/failure.ts'
import { ConcurrentEdit } from '../safety/list-change-errors.ts'
import type { Session } from '../session/session.ts'
import { PortTaken } from '../targets/driver.ts'
import { judge } from './judge.ts'
import {
  check,
  contextOf,
  followers,
  foreign,
  key,
  launchKey,
  observation,
  others,
  own,
  silent,
  targetAt,
} from './judged.test-data.ts'
import type { Outcome } from './outcome.ts'

test('a check that returns has passed, with its exchanges', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async ({ plugin }) => expectStatus(await plugin.status(), 200), 'read'),
    context,
  )
  expect(outcome).toMatchObject({ check: 'CT-1', status: 'passed', message: null, exchangesOmitted: 0, ...silent })
  expect(outcome.exchanges.map(({ request }) => request.url.split('/').at(-1))).toEqual(['status'])
  expect(outcome.durationMs).toBeGreaterThan(0)
})

test('exchanges before the check and of its clean-up are not part of it', async () => {
  const { context } = await foreign()
  await context.main.plugin.list()
  const outcome = await judge(
    check(async ({ rules }) => {
      await rules.arrange(1)
    }),
    context,
  )
  // The read of the list before the first change, then the requests of the check.
  expect(outcome.exchanges.map(({ request }) => request.method)).toEqual(['GET', 'POST', 'GET'])
})

test('a failure that cannot be repeated because another client changes the list could not be judged', async () => {
  const { context } = await foreign()
  let closed: string | null = null
  const cleanUp = () => {
    closed = 'nothing more is added'
    return Promise.reject(new ConcurrentEdit('another client changed the list', ['missing: 1>2']))
  }
  Object.assign(context, { cleanUp, closedReason: () => closed })
  const outcome = await judge(
    check(async () => expectEqual('list.length-wrong', 1, 2)),
    context,
  )
  expect(outcome).toMatchObject({ status: 'blocked', stop: 'interference', code: null })
})

test.for([
  [false, 'failed'],
  [true, 'blocked'],
] as const)(
  'a silent server whose list cannot be read afterwards (bad network: %s) is %s',
  async ([badNetwork, status]) => {
    let isSilent = false
    const { context } = await foreign({}, ({ method, url, socket }) => {
      isSilent ||= method === 'POST'
      if (!isSilent || (method === 'GET' && url === '/api/status')) return false
      socket.destroy()
      return true
    })
    context.state = { ...context.state, badNetwork }
    const outcome = await judge(
      check(async ({ rules }) => {
        await rules.add(rules.draft())
      }),
      context,
    )
    expect(outcome).toMatchObject({ status, message: expect.stringMatching(/not answered|network may be to blame/) })
  },
)

test.for([
  ['what could not be arranged', new CannotArrange('the server takes no rule'), 'blocked', 'the server takes no rule'],
  ['what the target does not allow', new OutOfScope('too few rules'), 'out-of-scope', 'too few rules'],
] as const)('%s has a reason and no verdict', async ([, error, status, message]) => {
  const { context } = await foreign()
  expect(
    await judge(
      check(() => Promise.reject(error)),
      context,
    ),
  ).toMatchObject({ status, message, ...silent })
})

test.for([[new TypeError('a bug in a check')], ['a thrown text'], [undefined]])(
  'throwing %o is an error of the kit, not a verdict',
  async ([thrown]) => {
    const { context } = await foreign()
    const outcome = await judge(
      check(() => Promise.reject(thrown)),
      context,
    )
    expect(outcome).toMatchObject({ status: 'error', ...silent })
    expect(outcome.message).toContain(thrown instanceof Error ? 'TypeError: a bug in a check' : String(thrown))
  },
)

test('a check that launches a server without a driver is an error of the kit', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async ({ launch }) => {
      await launch()
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'error', message: expect.stringContaining('starts a server') })
})

test('an observation returns its answer; one that met a failed expectation is blocked', async () => {
  const { context } = await foreign()
  const answered = observation(async () => ({ answer: 'before', seen: '' }))
  const unknown = observation(async () => ({ answer: null, seen: 'it says 418' }))
  const failed = observation(async ({ plugin }) => {
    expectStatus(await plugin.status(), 404)
    return { answer: 'x', seen: '' }
  })
  expect(await judge(answered, context)).toMatchObject({ status: 'passed', answer: 'before', message: null })
  expect(await judge(unknown, context)).toMatchObject({ status: 'passed', answer: null, message: 'it says 418' })
  expect(await judge(failed, context)).toMatchObject({
    status: 'blocked',
    answer: null,
    message: 'The status is 200, not 404.',
  })
})

test('for a check that only reads the kit does not read the list', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async () => undefined, 'read'),
    context,
  )
  expect(outcome.exchanges).toEqual([])
  expect(context.before).toBeNull()
})

test('a check that changes something is blocked if the list cannot be read before', async () => {
  const { context } = await foreign({}, ({ url }, response) => {
    if (url !== '/api/rules') return false
    response.writeHead(503).end()
    return true
  })
  let ran = false
  const outcome = await judge(
    check(async () => {
      ran = true
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'blocked', message: expect.stringContaining('503') })
  expect(ran).toBe(false)
})

test('a check that finds the server that it launched full is out of scope', async () => {
  const { context } = await own({ capacity: 4 })
  const outcome = await judge(
    check(async ({ launch }) => {
      const { plugin, rules } = await launch()
      for (let i = 0; i < 5; i += 1) expectStatus(await plugin.add(rules.draft()), 201)
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'out-of-scope', message: expect.stringContaining('full with 4 rules') })
})

test.for([
  [1, 'out-of-scope', 'room for 1'],
  [2, 'failed', 'The number of listed rules is wrong.'],
] as const)('with a capacity of %i a check that lacks one of two Copy_N is %s', async ([capacity, status, message]) => {
  const { context } = await own({ capacity })
  const outcome = await judge(
    check(async ({ launch }) => {
      const server = await launch({ copy: others })
      expectEqual('list.length-wrong', (await server.rules.read()).length, 3)
    }),
    context,
  )
  expect(outcome).toMatchObject({ status, message: expect.stringContaining(message) })
  expect(followers(await context.main.rules.read())).toEqual([2001, 2002].slice(0, capacity))
})

test('a failure on a list that a check filled on purpose is a verdict', async () => {
  const { context } = await own({ capacity: 4 })
  const outcome = await judge(
    check(async ({ launch, fillServer }) => {
      const server = await launch()
      await fillServer(server)
      expectStatus(await server.plugin.add(server.rules.draft()), 201)
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'failed' })
})

test('a server that accepts no rule at all has failed, no matter who started it', async () => {
  const override = () => ({ isFull: () => true })
  const add = check(async ({ plugin, rules }) => expectStatus(await plugin.add(rules.draft()), 201))
  expect(await judge(add, (await own({ override })).context)).toMatchObject({ status: 'failed' })
  const alone = { parameters: { API_Key: key }, override }
  expect(await judge(add, (await foreign(alone)).context)).toMatchObject({ status: 'failed' })
})

test('no text of an outcome contains the key, a similar key, or the key of a launched server', async () => {
  const { context } = await own({
    override: () => ({ errorBody: (error) => ({ error: `${error} for key ${key} or ${key.slice(1)}` }) }),
  })
  const outcomes: Outcome[] = []
  for (const run of [
    async ({ plugin }: Session) => expectStatus(await plugin.remove(99), 200),
    async ({ plugin }: Session) => expectStatus(await plugin.remove(99, { key: key.slice(1) }), 200),
    async ({ launch }: Session) => expectStatus(await (await launch()).plugin.remove(9), 200),
    async () => {
      throw new FailedExpectation('rule.mode-changed', {
        expected: { [key]: [`not ${key}`] },
        actual: encodeURIComponent(key),
        difference: key,
        after: key,
      })
    },
    async () => {
      throw new CannotArrange(`without ${launchKey}-1`)
    },
    async () => {
      throw new TypeError(`a bug with ${key}`)
    },
  ]) {
    outcomes.push(await judge(check(run), context))
  }
  outcomes.push(
    await judge(
      observation(async () => ({ answer: null, seen: `it says ${key}` })),
      context,
    ),
  )
  const text = JSON.stringify(outcomes)
  expect(text).toContain('[redacted]')
  for (const secret of [key, key.slice(1), key.slice(0, -1), launchKey]) expect(text).not.toContain(secret)
})

test('a passed check stays passed even if the target no longer lists its rules', async () => {
  let broken = false
  const { context } = await foreign({}, (_, response) => {
    if (broken) response.writeHead(503).end()
    return broken
  })
  const outcome = await judge(
    check(async ({ rules }) => {
      await rules.arrange(1)
      broken = true
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'passed', message: null })
})

test('texts about a target are redacted before they are truncated', async () => {
  const { context } = await foreign()
  const text = `${'.'.repeat(995)}${context.settings.target.key}`
  const outcome = await judge(
    check(async () => expectEqual('rule.mode-changed', text, 'another')),
    context,
  )
  expect(outcome.actual).toBe(`${'.'.repeat(995)}[reda…`)
})

test('a check on a foreign server that is full from the start is out of scope, and changes nothing', async () => {
  const { context, simulator } = await foreign({ capacity: 2 })
  const outcome = await judge(
    check(async ({ rules }) => {
      await rules.arrange(1)
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'out-of-scope', message: expect.stringContaining('full with 2 rules') })
  expect(followers(simulator.rules)).toEqual([2001, 2002])
})

test('a server that cannot start because of another program is not blamed', async () => {
  const { context, driver } = await own()
  const restarting = check(async ({ launch }) => {
    await launch()
  })
  vi.spyOn(driver, 'start').mockRejectedValueOnce(new PortTaken('port 5000 is used by another program'))
  expect(await judge(restarting, context)).toMatchObject({
    status: 'blocked',
    message: 'port 5000 is used by another program: run again',
  })
})

test('below the stated capacity a 500 is a failure, not a full list', async () => {
  const { url } = await foreign({ capacity: 2 })
  const context = contextOf(url, { target: targetAt(url, { capacity: 100 }) })
  const outcome = await judge(
    check(async ({ plugin, rules }) => expectStatus(await plugin.add(rules.draft()), 201)),
    context,
  )
  expect(outcome.status).toBe('failed')
})
