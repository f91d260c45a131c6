import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { expectEqual, expectObject, expectStatus } from '../assertions/expect.ts'
import { judge } from './judge.ts'
import { check, contextOf, followers, foreign, key, own, silent } from './judged.test-data.ts'

test('the run continues if the network loses a request of a check and one of its clean-up', async () => {
  // The guard reads the list after the POST, and so does the clean-up.
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

test('a server that closes its connections after three responses without notice is not accused', async () => {
  const counts = new WeakMap<object, number>()
  const { url } = await foreign({}, ({ socket }, response) => {
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    // It has already carried out what it does not answer.
    if (count > 3) response.end = () => response.destroy()
    return false
  })
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const before = await contextOf(url).main.rules.read()
  const context = contextOf(url, { safety: { before, ledgerFile: join(folder, 'ledger.jsonl'), mostWrites: 100 } })
  const removes = check(async ({ rules }) => {
    for (const rule of await rules.arrange(4)) expectStatus(await rules.sendRemoval(rule), 200)
  })
  for (let time = 0; time < 2; time += 1) expect(await judge(removes, context)).toMatchObject({ status: 'passed' })
  expect(context.closed).toBeNull()
})

test('a request without a response is a failure of the server if it answers others', async () => {
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
  expect(context.state.stopped).toBeNull()
})

test('if changes of a foreign server hang, no further change is sent that could take effect later', async () => {
  const changes: string[] = []
  const { url } = await foreign({}, ({ method = '' }) => {
    if (method !== 'POST') return false
    changes.push(method)
    return true
  })
  const context = contextOf(url, { timeoutMs: 600 })
  const adding = check(async ({ rules }) => {
    await rules.add(rules.draft())
  })
  expect(await judge(adding, context)).toMatchObject({ status: 'failed', code: 'response.missing' })
  expect(await judge(adding, context)).toMatchObject({
    status: 'blocked',
    message: 'POST /api/rules has no response, so nothing more is added or removed',
  })
  expect(changes).toHaveLength(3)
  const looking = check(async ({ throwSeen }) => throwSeen('blockingFailure'))
  const last = await judge({ ...looking, requirement: 'plugin.http.ordinary-requests', concludes: true }, context)
  expect(last.data?.reason).toBe('POST /api/rules has no response')
})

test('a check could not be judged if its request got no response only once', async () => {
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

test('a read that got no response only once could not be judged, even if no rule may be added any more', async () => {
  let cuts = 0
  const { context } = await foreign({}, ({ url, socket }) => {
    if (url !== '/api/unknown' || cuts > 0) return false
    cuts += 1
    socket.destroy()
    return true
  })
  context.closed = new Error('the list of the server cannot be read, so no more rules are added')
  const outcome = await judge(
    check(async ({ plugin }) => {
      await plugin.send({ method: 'HEAD', path: '/api/unknown' })
    }, 'read'),
    context,
  )
  expect(outcome).toMatchObject({ status: 'blocked', message: expect.stringContaining('network may be to blame') })
})

test.for([
  { status: 200, headers: { 'Content-Type': 'text/html' } },
  { status: 302, headers: { Location: 'https://login.example' } },
])(
  'a server that responds to one read with something else, and to others as documented, is judged: $status',
  async ({ status, headers }) => {
    const { context } = await foreign({}, ({ url }, response) => {
      if (url !== '/api/status') return false
      response.writeHead(status, headers).end('<h1>Status</h1>')
      return true
    })
    const outcome = await judge(
      check(async ({ plugin }) => void expectObject(await plugin.status()), 'read'),
      context,
    )
    expect(outcome).toMatchObject({ status: 'failed', stop: null })
  },
)

/** A check of a foreign server that answers this many PUT requests with a status of a gateway. */
async function judgeBehindGateway(status: number, times: number, session: 'plugin' | 'raw') {
  let left = times
  const { context } = await foreign({}, ({ method }, response) => {
    left -= method === 'PUT' ? 1 : 0
    if (method !== 'PUT' || left < 0) return false
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{"message":"no healthy upstream"}')
    return true
  })
  const bytes = Buffer.from(`PUT /api/rules HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Length: 0\r\n\r\n`)
  return judge(
    check(async ({ plugin, raw }) => {
      const { status: seen } =
        session === 'raw'
          ? ((await raw({ bytes, responses: 1 })).responses[0] ?? { status: 0 })
          : await plugin.send({ method: 'PUT', path: '/api/rules' })
      expectEqual('header.content-type-not-json', seen, 405)
    }),
    context,
  )
}

test.for([
  [502, 'plugin'],
  [503, 'plugin'],
  [504, 'raw'],
  [524, 'raw'],
] as const)(
  'a check could not be judged if only once a gateway may have answered with %i (%s)',
  async ([status, session]) => {
    const outcome = await judgeBehindGateway(status, 1, session)
    expect(outcome.status).toBe('blocked')
    expect(outcome.message).toContain(`a proxy in front of the server may be to blame: ${status}`)
  },
)

test.for([
  [502, Number.POSITIVE_INFINITY],
  [501, 1],
] as const)(
  'a status %i that is not of a gateway, or comes each time, counts against the server',
  async ([status, times]) => {
    expect(await judgeBehindGateway(status, times, 'plugin')).toMatchObject({ status: 'failed', actual: `${status}` })
  },
)

test.for([
  { what: 'blocks this client', status: 403, headers: { 'Content-Type': 'text/html' }, blocked: true },
  { what: 'demands a login', status: 302, headers: { Location: 'https://login.example' }, blocked: true },
  { what: 'shows that it is being maintained', status: 200, headers: { 'Content-Type': 'text/html' }, blocked: true },
  { what: 'is the server itself', status: 403, headers: { 'Content-Type': 'application/json' }, blocked: false },
  { what: 'limits requests', status: 429, headers: { 'Content-Type': 'text/html' }, blocked: false, isLimit: true },
  {
    what: 'limits requests for a time',
    status: 403,
    headers: { 'Content-Type': 'text/html', 'Retry-After': '1' },
    blocked: false,
    isLimit: true,
  },
  { what: 'blocks one request', status: 403, headers: { 'Content-Type': 'text/html' }, blocked: false, only: 'PUT' },
] as const)(
  'a server is not judged by what something in front of it responds to everything: it $what',
  async (given) => {
    const { status, headers, blocked } = given
    let isBlocking = false
    const { context } = await foreign({}, ({ method = '' }, response) => {
      if (!isBlocking || ('only' in given && method !== given.only)) return false
      response
        .writeHead(status, headers)
        .end(JSON.stringify(headers).includes('json') ? '{"error":"no"}' : '<h1>No</h1>')
      return true
    })
    const outcome = await judge(
      check(async ({ plugin }) => {
        isBlocking = true
        expectStatus(await plugin.send({ method: 'PUT', path: '/api/rules' }), 405)
      }),
      context,
    )
    if (!blocked)
      return expect(outcome).toMatchObject({ status: 'isLimit' in given ? 'blocked' : 'failed', stop: null })
    expect(outcome).toMatchObject({ status: 'blocked', stop: 'unreachable' })
    expect(outcome.message).toContain(`GET /api/status is answered with ${status}`)
  },
)

test('a server that is gone has not failed because bytes got no response', async () => {
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

test('a foreign server that goes away blocks this check and all later ones at once', async () => {
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

test('a server of the kit’s own that crashes has failed, and is restarted for the next check', async () => {
  const { context, driver, server } = await own()
  const crashes = check(async ({ plugin }) => {
    await driver.crash(server)
    await plugin.add({})
  })
  expect(await judge(crashes, context)).toMatchObject({ status: 'failed', message: 'The server died.' })
  const works = check(async ({ plugin }) => expectStatus(await plugin.status(), 200))
  expect(await judge(works, context)).toMatchObject({ status: 'passed' })
})

test('a read that crashes a server of the kit’s own fails alone, and the next check finds it running', async () => {
  const { context, driver, server } = await own()
  const killing = check(async ({ plugin }) => {
    await driver.crash(server)
    await plugin.status()
  }, 'read')
  expect(await judge(killing, context)).toMatchObject({ status: 'failed', message: 'The server died.' })
  const reading = check(async ({ plugin }) => expectStatus(await plugin.status(), 200), 'read')
  expect(await judge(reading, context)).toMatchObject({ status: 'passed' })
})
