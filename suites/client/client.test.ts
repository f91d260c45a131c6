import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { MessageChannel, Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { expect, type MockInstance, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../fixtures/free-port.ts'
import { clientFor } from './client.test-data.ts'
import { createRecorder } from './recorder.ts'
import type { Request } from './request.ts'
import { NoResponse } from './response.ts'
import { runningServerTransport, simulatorTransport } from './transport.ts'
import { createPace } from './wait.ts'

async function listen(server: Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that records the requests that it receives. */
async function serve(answer: RequestListener) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  const baseUrl = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl, seen, server }
}

/** A server of raw sockets, which speaks no HTTP by itself. */
async function serveSockets(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return listen(server)
}

function request(changes: Partial<Request> = {}): Request {
  return { method: 'GET', path: '/api/rules', headers: {}, body: null, ...changes }
}

async function failureOf(answer: Promise<unknown>): Promise<NoResponse> {
  const error = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(NoResponse)
  return error as NoResponse
}

test('a request is sent exactly as given, and its exchange is recorded', async () => {
  const { baseUrl, seen } = await serve(async (received, response) => {
    const body = await buffer(received)
    response.writeHead(201, { 'Content-Type': 'application/json', 'X-Twice': ['a', 'b'] })
    response.end(`{"echo":${JSON.stringify(body.toString())}}`)
  })
  const recorder = createRecorder((text) => text)
  const answer = await clientFor(baseUrl, { recorder })(
    request({
      method: 'POST',
      path: '/api/rules?x=%31',
      headers: { 'X-API-Key': 'k', 'Content-Type': 'text/odd' },
      body: Buffer.from('{"ä":1}'),
    }),
  )
  expect(seen.map(({ method, url, headers }) => [method, url, headers['x-api-key'], headers['content-type']])).toEqual([
    ['POST', '/api/rules?x=%31', 'k', 'text/odd'],
  ])
  expect(answer).toMatchObject({ status: 201, json: { echo: '{"ä":1}' }, text: '{"echo":"{\\"ä\\":1}"}' })
  expect(answer.headers['x-twice']).toBe('a, b')
  const { exchanges } = recorder.take()
  expect(exchanges).toEqual([answer.exchange])
  expect(exchanges[0]).toMatchObject({
    request: {
      method: 'POST',
      url: `${baseUrl}/api/rules?x=%31`,
      headers: [
        ['X-API-Key', 'k'],
        ['Content-Type', 'text/odd'],
      ],
      body: '{"ä":1}',
    },
    response: { status: 201, body: '{"echo":"{\\"ä\\":1}"}' },
    failure: null,
  })
  expect(Date.parse(exchanges[0]?.startedAt ?? '')).not.toBeNaN()
})

test.for([[Buffer.from([0, 0xff, 0xfe, 0x80])], [Buffer.alloc(0)], [Buffer.from('"text"')]])(
  'the body %o arrives unchanged, without an added Content-Type',
  async ([body]) => {
    const arrived: Buffer[] = []
    const { baseUrl, seen } = await serve(async (received, response) => {
      arrived.push(await buffer(received))
      response.end()
    })
    await clientFor(baseUrl)(request({ method: 'POST', body: body ?? null }))
    expect(arrived).toEqual([body])
    expect(seen[0]?.headers['content-type']).toBeUndefined()
  },
)

test.for([204, 301, 302, 400, 404, 418, 500, 503])('a response with status %i is returned', async (status) => {
  const { baseUrl, seen } = await serve((_, response) => {
    response.writeHead(status, { Location: '/elsewhere' }).end()
  })
  expect((await clientFor(baseUrl)(request())).status).toBe(status)
  expect(seen).toHaveLength(1)
})

test.for(['plain', 'gzip'] as const)(
  'an endless %s body is truncated at 16 MiB, and the response still counts',
  async (coding) => {
    const { baseUrl } = await serve((_, response) => {
      if (coding === 'gzip') response.setHeader('Content-Encoding', 'gzip')
      const piece = coding === 'gzip' ? gzipSync(Buffer.alloc(2 ** 20)) : Buffer.alloc(2 ** 20, ' ')
      const write = () => {
        while (!response.destroyed) {
          if (!response.write(piece)) return void response.once('drain', write)
        }
      }
      write()
    })
    const response = await clientFor(baseUrl)(request())
    expect(response).toMatchObject({ status: 200, json: undefined, unreadReason: 'a body of more than 16 MiB' })
    expect(response.bytes.length).toBeLessThan(2 ** 24 + 2 ** 21)
  },
)

test('a body of 16 MiB is read', async () => {
  const { baseUrl } = await serve((_, response) => response.end(Buffer.alloc(2 ** 24, ' ')))
  expect(await clientFor(baseUrl)(request())).toMatchObject({ unreadReason: null })
})

test('the body of a response is returned as bytes whatever its type, and decompressed', async () => {
  const bytes = Buffer.from([0x7b, 0xff, 0x00])
  const { baseUrl } = await serve(({ url }, response) => {
    response.setHeader('Content-Type', 'application/json')
    if (url === '/plain') response.end(bytes)
    else response.setHeader('Content-Encoding', 'GZIP').end(gzipSync('{"login":18446744073709551615}'))
  })
  const client = clientFor(baseUrl)
  expect(await client(request({ path: '/plain' }))).toMatchObject({ bytes, json: undefined })
  expect((await client(request({ path: '/gzip' }))).json).toEqual({ login: 18_446_744_073_709_551_615n })
})

test('a response to HEAD has no body, and a chunked one is complete', async () => {
  const { baseUrl } = await serve(({ method }, response) => {
    if (method !== 'HEAD') response.write('{"a"')
    response.end(':1}')
  })
  const client = clientFor(baseUrl)
  expect(await client(request({ method: 'HEAD' }))).toMatchObject({ status: 200, text: '', json: undefined })
  expect((await client(request())).json).toEqual({ a: 1 })
})

test('cookies are recorded like any other header, with secrets redacted', async () => {
  const { baseUrl } = await serve((_received, response) => {
    response.setHeader('Set-Cookie', ['a=sesame', 'b=2']).end('{}')
  })
  const recorder = createRecorder((text) => text.replaceAll('sesame', '[redacted]'))
  const answer = await clientFor(baseUrl, { recorder })(request())
  expect(answer.headers['set-cookie']).toBe('a=sesame, b=2')
  expect(answer.exchange.response?.headers).toContainEqual(['set-cookie', 'a=[redacted], b=2'])
})

test('a header may have the name of a member of every object', async () => {
  const { baseUrl } = await serve((_, response) => void response.setHeader('constructor', 'x').end())
  expect((await clientFor(baseUrl)(request())).headers.constructor).toBe('x')
})

test.for([
  { status: 502, type: 'text/html', isResponse: false },
  { status: 503, type: 'text/plain', isResponse: false },
  { status: 504, type: undefined, isResponse: false },
  { status: 503, type: 'application/json', isResponse: true },
  { status: 500, type: 'text/html', isResponse: true },
])('status $status with the type $type is a response of a running server: $isResponse', async (sent) => {
  const { status, type, isResponse } = sent
  const { baseUrl } = await serve(
    (_, response) => void response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end('down'),
  )
  const send = clientFor(baseUrl, { transport: runningServerTransport })
  if (isResponse) expect((await send(request())).status).toBe(status)
  else expect((await failureOf(send(request()))).message).toContain(`responds with ${status}`)
  expect((await clientFor(baseUrl)(request())).status).toBe(status)
})

test('a refused connection throws NoResponse with a readable reason', async () => {
  const recorder = createRecorder((text) => text)
  const client = clientFor(`http://127.0.0.1:${await freePort()}`, { recorder })
  const error = await failureOf(client(request({ method: 'DELETE', path: '/api/rules/3' })))
  expect(error.message).toMatch(/^no response to DELETE \/api\/rules\/3: .*connection (was )?refused$/i)
  expect(error.exchange).toMatchObject({ response: null, failure: expect.stringMatching(/refused$/) })
  expect(recorder.take().exchanges).toEqual([error.exchange])
})

test('a timeout throws NoResponse', async () => {
  const { baseUrl } = await serve(() => undefined)
  const error = await failureOf(clientFor(baseUrl, { timeoutMs: 80 })(request()))
  expect(error.message).toBe('no response to GET /api/rules: it took too long')
})

test('a server that accepts connections and does not use TLS is reported before the timeout', async () => {
  const url = (await serveSockets(() => undefined)).replace('http:', 'https:')
  const error = await failureOf(clientFor(url, { timeoutMs: 400 })(request()))
  const reason = 'TLS failed (no handshake): the server may not speak https'
  expect(error.message).toBe(`no response to GET /api/rules: ${reason}`)
})

/** Starts a server in a thread, which posts its port. */
async function startThread(source: string): Promise<number> {
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(source, { eval: true, workerData: port2, transferList: [port2] })
  onTestFinished(async () => void (await worker.terminate()))
  const [port] = (await once(port1, 'message')) as [number]
  port1.close()
  return port
}

/** Accepts no connection. Two fit into its queue. */
const blockedServer = `
const { createServer } = require('node:net')
const { workerData } = require('node:worker_threads')
const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  workerData.postMessage(server.address().port)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

/** The port of such a server with a full queue. */
async function startBlockedServer(): Promise<number> {
  const port = await startThread(blockedServer)
  const queued = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  onTestFinished(() => {
    for (const socket of queued) socket.destroy()
  })
  await Promise.all(queued.map((socket) => once(socket, 'connect')))
  return port
}

test('a connection to the first address of a name may take longer than 250 ms, although there is a second', async () => {
  const port = await startBlockedServer()
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  const lookup = vi.spyOn(dns, 'lookup') as unknown as MockInstance
  lookup.mockImplementation((_name, _options, callback) => callback(null, addresses))
  onTestFinished(() => lookup.mockRestore())
  const startedAt = performance.now()
  await failureOf(clientFor(`http://trade.example:${port}`, { timeoutMs: 600 })(request()))
  expect(performance.now() - startedAt).toBeGreaterThan(590)
})

test('an https URL at which nothing accepts the connection is not taken for a server that does not use TLS', async () => {
  const port = await startBlockedServer()
  const error = await failureOf(clientFor(`https://127.0.0.1:${port}`, { timeoutMs: 400 })(request()))
  expect(error.message).toBe('no response to GET /api/rules: it took too long')
})

test('a server that stops in the middle of its response times out', async () => {
  const { baseUrl } = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': 10 })
    response.write('12345')
  })
  const error = await failureOf(clientFor(baseUrl, { timeoutMs: 80 })(request()))
  expect(error.exchange.failure).toBe('it took too long')
})

test('an incomplete response throws NoResponse', async () => {
  const { baseUrl } = await serve((received, response) => {
    response.writeHead(200, { 'Content-Length': 10 })
    response.write('12345', () => received.socket.destroy())
  })
  const error = await failureOf(clientFor(baseUrl)(request({ method: 'POST' })))
  expect(error.exchange).toMatchObject({ response: null })
  expect(error.exchange.failure).not.toBe('')
})

test('bytes that are not HTTP throw NoResponse', async () => {
  const baseUrl = await serveSockets((socket) => {
    socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
  })
  const error = await failureOf(clientFor(baseUrl)(request()))
  expect(error.message).toMatch(/^no response to GET \/api\/rules: \S/)
})

test.for(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  'a %s whose connection is cut reaches the server once and is not repeated',
  async (method) => {
    const { baseUrl, seen } = await serve(({ method: asked, socket }, response) => {
      if (asked === 'GET') response.end()
      else socket.destroy()
    })
    const client = clientFor(baseUrl)
    await client(request())
    const error = await failureOf(client(request({ method, body: Buffer.from('{}') })))
    expect(error.exchange.failure).toBe('the connection was cut off')
    // A repeated request would have arrived before this one.
    await client(request())
    expect(seen.map((received) => received.method)).toEqual(['GET', method, 'GET'])
  },
)

/** The methods that were received on each connection. */
function byConnection(seen: readonly IncomingMessage[]): string[][] {
  const connections = new Map<Socket, string[]>()
  for (const { socket, method = '' } of seen) connections.set(socket, [...(connections.get(socket) ?? []), method])
  return [...connections.values()]
}

test('reads share a connection, and each write has its own', async () => {
  const { baseUrl, seen } = await serve((_, response) => response.end('x'))
  const client = clientFor(baseUrl)
  for (const method of ['GET', 'OPTIONS', 'POST', 'GET', 'DELETE', 'HEAD'] as const) await client(request({ method }))
  expect(byConnection(seen)).toEqual([['GET', 'OPTIONS', 'GET'], ['POST'], ['DELETE'], ['HEAD']])
})

test('writes share persistent connections too, until the server has ended', async () => {
  const { baseUrl, seen } = await serve((_, response) => response.end('x'))
  const client = clientFor(baseUrl, { transport: simulatorTransport })
  for (const method of ['GET', 'POST', 'DELETE'] as const) await client(request({ method }))
  client.closeIdle()
  for (const method of ['POST', 'GET'] as const) await client(request({ method }))
  expect(byConnection(seen)).toEqual([
    ['GET', 'POST', 'DELETE'],
    ['POST', 'GET'],
  ])
})

test('after simultaneous reads only one connection is kept, so that the server does not run out of them', async () => {
  const { baseUrl, server } = await serve((_, response) => response.end('{}'))
  const client = clientFor(baseUrl)
  await Promise.all(Array.from({ length: 6 }, () => client(request())))
  client.closeIdle(1)
  await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(1)
})

test('a read on a kept connection that the server closes is repeated once', async () => {
  let asked = 0
  const { baseUrl, seen } = await serve(({ socket }, response) => {
    asked += 1
    if (asked === 2) socket.destroy()
    else response.end(String(asked))
  })
  const client = clientFor(baseUrl)
  await client(request())
  expect((await client(request())).text).toBe('3')
  expect(new Set(seen.map(({ socket }) => socket)).size).toBe(2)
})

test('a request that follows a read uses its connection and is not delayed by the rate limit', async () => {
  const { baseUrl, seen } = await serve((_, response) => response.end())
  const client = clientFor(baseUrl, { pace: createPace(4) })
  await client(request())
  const start = performance.now()
  await client(request({ method: 'DELETE', followsRead: 'shared' }))
  expect(performance.now() - start).toBeLessThan(200)
  await client(request())
  expect(performance.now() - start).toBeGreaterThan(450)
  expect(new Set(seen.map(({ socket }) => socket)).size).toBe(1)
})

test('a read that is cut off on a new connection is not repeated', async () => {
  const { baseUrl, seen } = await serve(({ socket }) => socket.destroy())
  const error = await failureOf(clientFor(baseUrl)(request()))
  expect(error.exchange.failure).toBe('the connection was cut off')
  expect(seen).toHaveLength(1)
})

test('a read is repeated only once', async () => {
  let asked = 0
  const { baseUrl } = await serve(({ socket }, response) => {
    asked += 1
    if (asked === 1) response.end()
    else socket.destroy()
  })
  const client = clientFor(baseUrl)
  await client(request())
  await failureOf(client(request()))
  expect(asked).toBe(3)
})

test('requests that are started at once are sent together, once the rate limit allows all of them', async () => {
  const times: number[] = []
  const { baseUrl } = await serve((_, response) => {
    times.push(performance.now())
    response.end()
  })
  const client = clientFor(baseUrl, { pace: createPace(40) })
  await client(request())
  await Promise.all(Array.from({ length: 20 }, (_, i) => client(request({ method: i % 2 === 0 ? 'GET' : 'POST' }))))
  const [first = 0, ...together] = times
  // Twenty intervals of 25 ms; a slow machine only makes them longer.
  expect(Math.min(...together) - first).toBeGreaterThan(400)
  // One by one they would take 475 ms.
  expect(Math.max(...together) - Math.min(...together)).toBeLessThan(200)
})

test('two requests that are started at once after a pause are sent together', async () => {
  const times: number[] = []
  const { baseUrl } = await serve((_, response) => {
    times.push(performance.now())
    response.end()
  })
  const client = clientFor(baseUrl, { pace: createPace(2) })
  await Promise.all([client(request()), client(request())])
  expect(Math.abs((times[0] ?? 0) - (times[1] ?? 0))).toBeLessThan(200)
})

/** Ends each connection 50 ms after its first response, and sends nothing on it after that. */
const endingServer = `
const { createServer } = require('node:net')
const { workerData } = require('node:worker_threads')
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', () => {
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}')
    setTimeout(() => {
      socket.end()
      setTimeout(() => socket.resetAndDestroy(), 20)
    }, 50)
  })
})
server.listen(0, '127.0.0.1', () => workerData.postMessage(server.address().port))
`

test('a read on a connection that the server has closed and reset is repeated', async () => {
  const port = await startThread(endingServer)
  const client = clientFor(`http://127.0.0.1:${port}`)
  const request: Request = { method: 'GET', path: '/', headers: {}, body: null }
  expect((await client(request)).status).toBe(200)
  // Blocks, so that the end of the connection is not noticed before the next request is written.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  expect((await client(request)).status).toBe(200)
})
