import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { expectEqual, expectStatus } from '../assertions/expect.ts'
import { CannotArrange, FailedExpectation, OutOfScope } from '../assertions/failure.ts'
import { directTransport } from '../client/transport.ts'
import { ConcurrentEdit } from '../safety/concurrent-edit.ts'
import type { Check, Observation, PlatformCheck, Risk } from '../session/check.ts'
import { expectSuccess as expectCreated } from '../session/platform-expect.ts'
import type { Session } from '../session/session.ts'
import { PortTaken } from '../targets/driver.ts'
import { createEmbeddedDriver, type SimulatorTraits } from '../targets/embedded.ts'
import { judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { createPlatformContext } from './platform/context.ts'
import { createPluginContext } from './plugin/context.ts'
import type { PluginSettings } from './plugin/settings.ts'
import { unguardedSettings } from './plugin/unguarded-settings.ts'

const key = 'a-key-that-nobody-may-see'
const launchKey = 'random-key-of-launched-servers'
const others = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }
const parameters = { API_Key: key, ...others }

function contextOf(url: string, changes: Partial<PluginSettings> = {}) {
  const target = {
    kind: 'url',
    transport: directTransport,
    url,
    key,
    server: null,
    capabilities: [],
    capacity: null,
  } as const
  return createPluginContext(
    { ...unguardedSettings(target, 1), launchKey, secrets: [key, launchKey], ...changes },
    null,
  )
}

/** A foreign server; `before` may answer a request in its place. */
async function foreign(
  options: SimulatorOptions = {},
  before: (...args: Parameters<RequestListener>) => boolean = () => false,
) {
  const simulator = createSimulator({ parameters, ...options })
  const handle = simulator.callback()
  const server = createServer((request, response) => {
    if (!before(request, response)) handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(async () => {
    close()
    await simulator.stop()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { simulator, close, url, context: contextOf(url) }
}

/** A server of the kit's own. */
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
  return {
    driver,
    server,
    context: createPluginContext({ ...unguardedSettings(target, 1), launchKey, secrets: [key, launchKey] }, driver),
  }
}

function check(run: (session: Session) => Promise<void>, risk: Risk = 'write'): Check {
  return { id: 'CT-1', requirement: 'r', title: 't', risk, needs: ['launch'], run }
}

function observation(run: Observation['run'], risk: Risk = 'read'): Observation {
  return { id: 'CT-2', question: 'q', title: 't', risk, run }
}

const silent = { expected: null, actual: null, answer: null, curl: null }
const followers = (rules: readonly { readonly follower: number | bigint }[]) =>
  rules.map(({ follower }) => Number(follower))

test('a check that returns has passed, with the exchanges that it made', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async ({ plugin }) => expectStatus(await plugin.status(), 200), 'read'),
    context,
  )
  expect(outcome).toMatchObject({ check: 'CT-1', status: 'passed', message: null, exchangesOmitted: 0, ...silent })
  expect(outcome.exchanges.map(({ request }) => request.url.split('/').at(-1))).toEqual(['status'])
  expect(outcome.durationMs).toBeGreaterThan(0)
})

test('exchanges from before the check and from the clean-up after it are not among those of the check', async () => {
  const { context } = await foreign()
  await context.main.plugin.list()
  const outcome = await judge(
    check(async ({ rules }) => {
      await rules.arrange(1)
    }),
    context,
  )
  // The look at the list before the first change, then what the check did.
  expect(outcome.exchanges.map(({ request }) => request.method)).toEqual(['GET', 'POST', 'GET'])
})

test('one lost response in a clean-up stops nothing: it is tried again', async () => {
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
  expect({ status: outcome.status, stopped: context.stopped, cuts }).toEqual({
    status: 'passed',
    stopped: null,
    cuts: 1,
  })
  expect(followers(simulator.rules)).toEqual([2001, 2002])
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
  'a silent server whose list cannot be read afterwards, in a bad network: %s, is %s',
  async ([badNetwork, status]) => {
    let isSilent = false
    const { context } = await foreign({}, ({ method, url, socket }) => {
      isSilent ||= method === 'POST'
      if (!isSilent || (method === 'GET' && url === '/api/status')) return false
      socket.destroy()
      return true
    })
    context.badNetwork = badNetwork
    const outcome = await judge(
      check(async ({ rules }) => {
        await rules.add(rules.draft())
      }),
      context,
    )
    expect(outcome).toMatchObject({ status, message: expect.stringMatching(/not answered|network may be to blame/) })
  },
)

test('a network that loses a request and then one of the clean-up is to blame, and the run goes on', async () => {
  // The guard reads the list after the POST, then the clean-up does.
  const lost = ['POST', 'GET', 'GET']
  const { context } = await foreign({}, ({ method, url, socket }) => {
    if (method !== lost[0] || url !== '/api/rules') return false
    lost.shift()
    socket.destroy()
    return true
  })
  const outcome = await judge(
    check(async ({ rules }) => {
      await rules.add(rules.draft())
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'blocked', message: expect.stringContaining('network may be to blame') })
  expect(lost).toEqual([])
  expect(context.closed).toBeNull()
})

test('a failed expectation fails, with both sides and the last request as a command', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async ({ plugin }) => {
      await plugin.list()
      expectStatus(await plugin.remove(99), 200)
    }),
    context,
  )
  expect(outcome).toMatchObject({
    status: 'failed',
    message: 'The status is 404, not 200.',
    expected: 'status 200',
    actual: expect.stringContaining('status 404: {"error"'),
    curl: expect.stringContaining('-X DELETE -H "X-API-Key: $TCK_API_KEY"'),
    answer: null,
  })
})

test('the command sends the request whose answer failed, and not one that came after it', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async ({ plugin }) => {
      const answer = await plugin.remove(99)
      await plugin.list()
      expectStatus(answer, 200)
    }),
    context,
  )
  expect(outcome.curl).toContain('-X DELETE')
})

test('so it does for a creation that other checks rest on too', async () => {
  const { url } = await foreign({}, ({ method }, response) => {
    response.writeHead(method === 'POST' ? 422 : 404, { 'Content-Type': 'application/json' }).end('{}')
    return true
  })
  const own = { owned: true, group: 'demo', label: 'tck', capabilities: [], safety: null, risk: 'write' } as const
  const spoken = { transport: directTransport, key, secret: null, vendor: 'X', listPaths: ['/v1/accounts'] } as const
  const target = { url, ...spoken, ...own }
  const context = createPlatformContext({
    target,
    timeoutMs: 3_000,
    maxRequestsPerSecond: null,
    secrets: [key],
  })
  const created: PlatformCheck = {
    ...{ id: 'CP-1', requirement: 'r', title: 't', risk: 'write', needs: ['platform'] },
    run: async ({ platform }) => void expectCreated((await platform.sample()).response),
  }
  for (const _ of ['the one that creates it', 'the next']) {
    const { exchanges, curl } = await judge(created, context)
    const statuses = exchanges.flatMap(({ request, response }) => (request.method === 'POST' ? response?.status : []))
    expect(statuses).toEqual([422])
    expect(curl).toMatch(/-X POST .*"Authorization: Bearer \$TCK_PLATFORM_KEY".*trading-accounts/)
  }
})

test.for([
  ['what could not be arranged', new CannotArrange('the server takes no rule'), 'blocked', 'the server takes no rule'],
  ['what the target does not allow', new OutOfScope('too few rules'), 'out-of-scope', 'too few rules'],
] as const)('%s is told with its reason and no verdict', async ([, error, status, message]) => {
  const { context } = await foreign()
  expect(
    await judge(
      check(() => Promise.reject(error)),
      context,
    ),
  ).toMatchObject({ status, message, ...silent })
})

test.for([[new TypeError('a bug in a check')], ['a thrown text'], [undefined]])(
  'the throw of %o is an error of the kit, not a verdict',
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

test('a check that launches a server where nobody can is an error of the kit', async () => {
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

test('a check that only reads sends nothing of its own to look at the list', async () => {
  const { context } = await foreign()
  const outcome = await judge(
    check(async () => undefined, 'read'),
    context,
  )
  expect(outcome.exchanges).toEqual([])
  expect(context.before).toBeNull()
})

test('a check that changes something is blocked where the list cannot be read before', async () => {
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

const endings: readonly (readonly [string, () => Promise<void>])[] = [
  ['passes', async () => undefined],
  [
    'fails',
    () => Promise.reject(new FailedExpectation('rule.mode-changed', { expected: 'a', actual: 'b', difference: null })),
  ],
  ['breaks', () => Promise.reject(new TypeError('a bug'))],
]

test.for(endings)('the list is as it was when a check that added rules %s', async ([, end]) => {
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

test('a foreign rule that a check removed is put back on a server of the kit’s own', async () => {
  const { context } = await own()
  await judge(
    check(async ({ plugin }) => {
      await plugin.remove(0)
    }),
    context,
  )
  expect(followers(await context.main.rules.read())).toEqual([2001, 2002])
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

test('what a check finds of a list that it filled on purpose is a verdict', async () => {
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

test('a server that takes no rule at all has failed, no matter who started it', async () => {
  const override = () => ({ isFull: () => true })
  const add = check(async ({ plugin, rules }) => expectStatus(await plugin.add(rules.draft()), 201))
  expect(await judge(add, (await own({ override })).context)).toMatchObject({ status: 'failed' })
  const alone = { parameters: { API_Key: key }, override }
  expect(await judge(add, (await foreign(alone)).context)).toMatchObject({ status: 'failed' })
})

test('where the kit’s rules are not removed, the checks that follow add none', async () => {
  const { context, simulator } = await foreign({ override: () => ({ removeRule: (list) => list }) })
  const removes = check(async ({ rules }) => {
    const [only] = await rules.arrange(1)
    expectStatus(await rules.remove(only), 200)
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

test('a server of the kit’s own that removes no rules is created again, and judged to the end', async () => {
  const { context } = await own({ override: () => ({ removeRule: (list) => list }) })
  const adds = check(async ({ rules }) => {
    await rules.arrange(1)
  })
  for (let i = 0; i < 2; i += 1) expect(await judge(adds, context)).toMatchObject({ status: 'passed' })
})

test('servers that a check launched are gone after it', async () => {
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

test('a request that is not answered while others are is a failure of the server', async () => {
  const { context } = await foreign({}, ({ method, socket }) => {
    if (method !== 'PUT') return false
    socket.destroy()
    return true
  })
  const outcome = await judge(
    check(async ({ plugin }) => {
      await plugin.send({ method: 'PUT', path: '/api/rules' })
    }),
    context,
  )
  expect(outcome).toMatchObject({
    status: 'failed',
    message: 'A request was not answered.',
    expected: 'a response',
    actual: 'no response to PUT /api/rules: the connection was cut off',
  })
  expect(context.stopped).toBeNull()
})

test('a request that is not answered once, and then is, could not be judged', async () => {
  let cuts = 0
  const { context, simulator } = await foreign({}, ({ method, socket }) => {
    if (method !== 'PUT' || cuts > 0) return false
    cuts += 1
    socket.destroy()
    return true
  })
  const outcome = await judge(
    check(async ({ plugin, rules }) => {
      await rules.arrange(1)
      await plugin.send({ method: 'PUT', path: '/api/rules' })
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'blocked', stop: null })
  expect(outcome.message).toContain('no response to PUT /api/rules')
  expect(followers(simulator.rules)).toEqual([2001, 2002])
})

test('bytes without an answer are no failure of a server that is gone', async () => {
  const { context, close } = await foreign()
  const outcome = await judge(
    check(async ({ raw }) => {
      close()
      const { responses } = await raw({ bytes: Buffer.from('GET / HTTP/1.1\r\n\r\n'), responses: 1 })
      expectEqual('list.length-wrong', responses.length, 1)
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'blocked', stop: 'unreachable' })
})

test('a foreign server that goes away blocks this check and all that follow, at once', async () => {
  const { context, close } = await foreign()
  const outcome = await judge(
    check(async ({ plugin }) => {
      close()
      await plugin.status()
    }),
    context,
  )
  expect(outcome).toMatchObject({ status: 'blocked', stop: 'unreachable', ...silent })
  expect(outcome.message).toMatch(/^the target stopped answering: no response to GET \/api\/status: /)
  let ran = false
  const next = await judge(
    check(async () => {
      ran = true
    }),
    context,
  )
  expect(next).toMatchObject({ status: 'blocked', message: outcome.message, exchanges: [], stop: 'unreachable' })
  expect(ran).toBe(false)
})

test('a server of the kit’s own that dies has failed, and is started again for the next check', async () => {
  const { context, driver, server } = await own()
  const dies = check(async ({ plugin }) => {
    await driver.crash(server)
    await plugin.add({})
  })
  expect(await judge(dies, context)).toMatchObject({ status: 'failed', message: 'The server died.' })
  const works = check(async ({ plugin }) => expectStatus(await plugin.status(), 200))
  expect(await judge(works, context)).toMatchObject({ status: 'passed' })
})

test('no text of an outcome holds the key, a key that resembles it, or one of a launched server', async () => {
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

test('a check that passed has passed, even if the target then lists its rules no more', async () => {
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

test('what is said about a target is cut after it was redacted, never through a secret', async () => {
  const { context } = await foreign()
  const text = `${'.'.repeat(995)}${context.settings.target.key}`
  const outcome = await judge(
    check(async () => expectEqual('rule.mode-changed', text, 'another')),
    context,
  )
  expect(outcome.actual).toBe(`${'.'.repeat(995)}[reda…`)
})

test('a target that goes away while it is tidied up is gone for the rest', async () => {
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

test('a foreign server that is full from the start is out of scope, and stays as it is', async () => {
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

test('a read that kills a server of the kit’s own fails alone: the next check meets it alive', async () => {
  const { context, driver, server } = await own()
  const killing = check(async ({ plugin }) => {
    await driver.crash(server)
    await plugin.status()
  }, 'read')
  expect(await judge(killing, context)).toMatchObject({ status: 'failed', message: 'The server died.' })
  const reading = check(async ({ plugin }) => expectStatus(await plugin.status(), 200), 'read')
  expect(await judge(reading, context)).toMatchObject({ status: 'passed' })
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

test('after a request without an answer the command is that request, not the look that followed it', async () => {
  const handle = createSimulator({ parameters }).callback()
  const { context } = await foreign({}, (request, response) => {
    if (request.method === 'PUT') request.socket.destroy()
    else handle(request, response)
    return true
  })
  const outcome = await judge(
    check(async ({ plugin }) => {
      await plugin.send({ method: 'PUT', path: '/api/rules' })
    }),
    context,
  )
  expect(outcome.curl).toContain('-X PUT')
})

test('the command for a wrong key makes it of the right one', async () => {
  const { context } = await own()
  const outcome = await judge(
    check(async ({ plugin, key }) => expectStatus(await plugin.status({ key: `${key}x` }), 200), 'read'),
    context,
  )
  expect(outcome.curl).toContain(`"X-API-Key: $\{TCK_API_KEY}x"`)
})

test('where the stated capacity is not reached, a 500 is a failure and not a full list', async () => {
  const { url } = await foreign({ capacity: 2 })
  const target = {
    kind: 'url',
    transport: directTransport,
    url,
    key,
    server: null,
    capabilities: [],
    capacity: 100,
  } as const
  const context = contextOf(url, { target })
  const outcome = await judge(
    check(async ({ plugin, rules }) => expectStatus(await plugin.add(rules.draft()), 201)),
    context,
  )
  expect(outcome.status).toBe('failed')
})
