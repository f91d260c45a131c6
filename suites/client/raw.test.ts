import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../fixtures/free-port.ts'
import { createSimulator } from '../../simulator/index.ts'
import type { ClientOptions } from './client.ts'
import { createRawClient, requestLinesIn } from './raw.ts'
import { createRecorder } from './recorder.ts'
import { directTransport } from './transport.ts'
import { createPace } from './wait.ts'

interface Served {
  readonly baseUrl: string
  /** What has been received on each connection so far. */
  readonly received: readonly string[]
}

/** A server that calls `response` for whatever it receives. */
async function serve(response: (socket: Socket, received: string) => void): Promise<Served> {
  const received: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const place = received.push('') - 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('end', () => socket.end())
    socket.on('data', (chunk) => {
      received[place] += chunk.toString('latin1')
      response(socket, received[place] ?? '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

function rawFor(baseUrl: string, options: Partial<ClientOptions> = {}) {
  const recorder = createRecorder((text) => text)
  return {
    recorder,
    raw: createRawClient({
      baseUrl,
      transport: directTransport,
      timeoutMs: 5_000,
      pace: createPace(Number.POSITIVE_INFINITY),
      recorder,
      ...options,
    }),
  }
}

const reply = (body: string, status = '200 OK') => `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)

const none = Buffer.alloc(0)

test('an endless body is truncated at 16 MiB, and the response still counts', async () => {
  const { baseUrl } = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const piece = Buffer.alloc(2 ** 20, ' ')
    const write = () => {
      if (!socket.destroyed) socket.write(piece, write)
    }
    write()
  })
  const { responses, end } = await rawFor(baseUrl).raw({ bytes: get('/'), responses: 2 })
  expect(end).toBe('closed')
  expect(responses).toMatchObject([{ status: 200, unreadReason: 'a body of more than 16 MiB' }])
})

test('bytes are sent unchanged, and the response is read and recorded', async () => {
  const { baseUrl, received } = await serve((socket, all) => {
    if (all.endsWith('!')) socket.write('HTTP/1.1 400 Bad\r\nA: 1\r\na: 2\r\nContent-Length: 7\r\n\r\n{"a":1}')
  })
  const { raw, recorder } = rawFor(baseUrl)
  const { responses, end } = await raw({ bytes: Buffer.from([0x00, 0xff, 0x21]), responses: 1 })
  expect(end).toBe('answered')
  expect(responses).toMatchObject([{ status: 400, headers: { a: '1, 2', 'content-length': '7' }, json: { a: 1 } }])
  expect(received).toEqual(['\u0000\u00ff!'])
  const { exchanges } = recorder.take()
  expect(exchanges).toEqual([responses[0]?.exchange])
  expect(exchanges[0]).toMatchObject({
    request: { method: 'RAW', url: baseUrl, body: '\u0000\u00ff!' },
    response: { status: 400, body: '{"a":1}' },
    failure: null,
  })
})

test('several responses on one connection are read in order, however they are split', async () => {
  const { baseUrl } = await serve((socket) => {
    const text = reply('one') + reply('', '404 Not Found') + reply('three')
    for (const letter of text) socket.write(letter)
  })
  const { raw, recorder } = rawFor(baseUrl)
  const { responses, end } = await raw({ bytes: Buffer.concat([get('/1'), get('/2'), get('/3')]), responses: 3 })
  expect(responses.map(({ status, text }) => [status, text])).toEqual([
    [200, 'one'],
    [404, ''],
    [200, 'three'],
  ])
  expect(end).toBe('answered')
  expect(recorder.take().exchanges.map(({ response }) => response?.body)).toEqual(['one', '', 'three'])
})

test('each of several requests is sent after the response to the previous one', async () => {
  const { baseUrl, received } = await serve((socket, all) => {
    const asked = all.split('\r\n\r\n').length - 1
    socket.write(reply(`${asked}`))
  })
  const { responses } = await rawFor(baseUrl).raw({ bytes: [get('/1'), get('/2'), get('/3')], responses: 3 })
  // If they had arrived together, the first response would count more than one.
  expect(responses.map(({ text }) => text)).toEqual(['1', '2', '3'])
  expect(received).toHaveLength(1)
})

test('a chunked response is joined, and its trailer is skipped', async () => {
  const { baseUrl } = await serve((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n')
    socket.write('3;x=y\r\n:1}\r\n0\r\nT: 1\r\n\r\n')
  })
  const { responses, end } = await rawFor(baseUrl).raw({ bytes: get('/'), responses: 1 })
  expect(responses).toMatchObject([{ status: 200, json: { a: 1 } }])
  expect(end).toBe('answered')
})

test('interim responses with status 1xx are skipped', async () => {
  const { baseUrl } = await serve((socket) => {
    socket.write(
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${reply('done', '201 Created')}`,
    )
  })
  const { responses } = await rawFor(baseUrl).raw({ bytes: get('/'), responses: 1 })
  expect(responses.map(({ status, text }) => [status, text])).toEqual([[201, 'done']])
})

test('101 is the last response of HTTP/1.1 on its connection', async () => {
  const head = 'HTTP/1.1 101 \r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n'
  const { baseUrl } = await serve((socket) => socket.write(`${head}\0\0\x2a\x04\0`))
  const { responses, end } = await rawFor(baseUrl).raw({ bytes: get('/'), responses: 1 })
  expect(end).toBe('answered')
  expect(responses.map(({ status }) => status)).toEqual([101])
})

test('a connection that is closed without a response is recorded as a failure', async () => {
  const { baseUrl } = await serve((socket) => socket.destroy())
  const { raw, recorder } = rawFor(baseUrl)
  expect(await raw({ bytes: get('/'), responses: 1 })).toEqual({
    responses: [],
    end: 'closed',
    saidClose: false,
    bytes: none,
  })
  expect(recorder.take().exchanges).toMatchObject([{ response: null, failure: 'the connection was closed' }])
})

test('fewer responses than requested are returned if the server closes the connection', async () => {
  const { baseUrl } = await serve((socket) => socket.end(reply('only')))
  const { responses, end } = await rawFor(baseUrl).raw({ bytes: [get('/1'), get('/2')], responses: 2 })
  expect(responses.map(({ text }) => text)).toEqual(['only'])
  expect(end).toBe('closed')
})

test('what follows a response that closes the connection is not read', async () => {
  const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  const { baseUrl } = await serve((socket) =>
    socket.end(reply('first') + closing + reply('', '503 Service Unavailable')),
  )
  const bytes = Buffer.concat([get('/1'), get('/2'), get('/3')])
  for (const count of [1, 3]) {
    const { responses } = await rawFor(baseUrl).raw({ bytes, responses: count })
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
  }
})

test('a server that does not respond times out, and what it sent before is kept', async () => {
  const silent = await serve(() => undefined)
  const { raw, recorder } = rawFor(silent.baseUrl, { timeoutMs: 60 })
  expect(await raw({ bytes: get('/'), responses: 1 })).toEqual({
    responses: [],
    end: 'timeout',
    saidClose: false,
    bytes: none,
  })
  expect(recorder.take().exchanges).toMatchObject([{ response: null, failure: 'it took too long' }])
  const half = await serve((socket) => socket.write(`${reply('one')}HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal`))
  const { responses, end } = await rawFor(half.baseUrl, { timeoutMs: 60 }).raw({ bytes: get('/'), responses: 2 })
  expect([responses.map(({ text }) => text), end]).toEqual([['one'], 'timeout'])
})

test('each response on a connection may take until the timeout', async () => {
  const { baseUrl } = await serve((socket) => void setTimeout(() => socket.write(reply('late')), 400))
  const bytes = [get('/1'), get('/2'), get('/3')]
  const { responses, end } = await rawFor(baseUrl, { timeoutMs: 1_000 }).raw({ bytes, responses: 3 })
  expect([responses.length, end]).toEqual([3, 'answered'])
})

test('responses without a request do not delay the timeout of a connection that stays open', async () => {
  const { baseUrl } = await serve((socket) => {
    const timer = setInterval(() => socket.write(reply('again')), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const { end } = await rawFor(baseUrl, { timeoutMs: 200 }).raw({ bytes: get('/'), responses: 1, untilClosed: true })
  expect(end).toBe('timeout')
})

test('bytes that are not HTTP end the conversation', async () => {
  const { baseUrl } = await serve((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n\r\n'))
  expect(await rawFor(baseUrl).raw({ bytes: get('/'), responses: 1 })).toEqual({
    responses: [],
    end: 'closed',
    saidClose: false,
    bytes: none,
  })
})

test('if nothing listens, the result is `closed` and nothing is thrown', async () => {
  const { raw } = rawFor(`http://127.0.0.1:${await freePort()}`)
  expect(await raw({ bytes: get('/'), responses: 1 })).toEqual({
    responses: [],
    end: 'closed',
    saidClose: false,
    bytes: none,
  })
})

test('with endAfter the server sees the end of the connection, and its response is still read', async () => {
  const ended: string[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let all = ''
    socket.on('data', (chunk) => {
      all += chunk
    })
    socket.on('end', () => {
      ended.push(all)
      socket.end(reply('seen'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const { raw } = rawFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const { responses } = await raw({ bytes: Buffer.from('GET /api/sta'), responses: 1, endAfter: true })
  expect(ended).toEqual(['GET /api/sta'])
  expect(responses.map(({ text }) => text)).toEqual(['seen'])
})

test('with endAfter the wait for a server that does not respond is shorter', async () => {
  const server = createServer({ allowHalfOpen: true }, (socket) => void socket.resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const timeoutMs = 19_000
  const { raw } = rawFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { timeoutMs })
  const start = performance.now()
  expect(await raw({ bytes: get('/'), responses: 1, endAfter: true })).toMatchObject({ end: 'timeout' })
  expect(performance.now() - start).toBeLessThan(timeoutMs / 2)
})

test('it works with the simulator, also through its IPv6 address', async () => {
  await using simulator = createSimulator({ port: 0, apiKey: 'k', host: '::1' })
  await simulator.start()
  const { responses } = await rawFor(simulator.url).raw({ bytes: get('/api/status'), responses: 1 })
  expect(responses.map(({ status }) => status)).toEqual([401])
})

test('a response that ends with the connection is read completely', async () => {
  const { baseUrl } = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"a":1}'))
  const { responses } = await rawFor(baseUrl).raw({ bytes: get('/'), responses: 1 })
  expect(responses.map(({ json }) => json)).toEqual([{ a: 1 }])
})

test.for(['closed', 'timeout'] as const)('a connection is read until it is closed or times out: %s', async (end) => {
  const { baseUrl } = await serve((socket) => {
    const said = reply('{}').replace('\r\n', '\r\nConnection: close\r\n')
    if (end === 'closed') socket.end(said)
    else socket.write(said)
  })
  const head = Buffer.from(get('/').toString().replace('GET', 'HEAD'))
  const result = await rawFor(baseUrl, { timeoutMs: 300 }).raw({ bytes: head, responses: 1, untilClosed: true })
  expect([result.end, result.responses.map(({ text }) => text)]).toEqual([end, ['']])
  // A body in a response to HEAD is read as well.
  expect(result.bytes.toString()).toMatch(/\r\n\r\n\{\}$/)
})

test('a split request arrives in pieces, and is complete', async () => {
  const pieces: number[] = []
  const { baseUrl, received } = await serve((socket, all) => {
    pieces.push(all.length)
    if (all.endsWith('\r\n\r\n')) socket.write(reply('whole'))
  })
  const { responses } = await rawFor(baseUrl).raw({ bytes: get('/'), responses: 1, splitAt: [2, 15] })
  expect(responses.map(({ text }) => text)).toEqual(['whole'])
  expect(received).toEqual([get('/').toString()])
  expect(pieces.slice(0, 2)).toEqual([2, 15])
})

test('something else can run while a request is incomplete, then its connection is closed', async () => {
  const { baseUrl } = await serve(() => undefined)
  const { raw, recorder } = rawFor(baseUrl)
  let done = false
  const result = await raw({
    bytes: Buffer.from('GET / HT'),
    responses: 1,
    meanwhile: async () => {
      done = true
    },
  })
  expect(result).toEqual({ responses: [], end: 'left', saidClose: false, bytes: none })
  expect(done).toBe(true)
  expect(recorder.take().exchanges).toHaveLength(1)
})

test('an incomplete request keeps its connection while `meanwhile` runs, even beyond the timeout', async () => {
  const { baseUrl } = await serve(() => undefined)
  const { end } = await rawFor(baseUrl, { timeoutMs: 50 }).raw({
    bytes: Buffer.from('GET / HT'),
    responses: 1,
    meanwhile: () => pause(200),
  })
  expect(end).toBe('left')
})

test('an error in `meanwhile` is thrown, even if the server closed the connection before', async () => {
  const { baseUrl } = await serve((socket) => socket.destroy())
  const failing = rawFor(baseUrl).raw({
    bytes: Buffer.from('GET / HT'),
    responses: 1,
    meanwhile: async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('meanwhile')
    },
  })
  await expect(failing).rejects.toThrow('meanwhile')
})

test('request lines are found after a long body, in a time that grows with its length', () => {
  const start = performance.now()
  expect(requestLinesIn(`{} ${'x'.repeat(40_000)}GET /a HTTP/1.1\r\n\r\n{}PUT /b HTTP/1.1\r\n`)).toEqual([
    `${'x'.repeat(40_000)}GET /a HTTP/1.1`,
    'PUT /b HTTP/1.1',
  ])
  expect(requestLinesIn('x'.repeat(40_000))).toEqual([])
  expect(performance.now() - start).toBeLessThan(1_000)
})
