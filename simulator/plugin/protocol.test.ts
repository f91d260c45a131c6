import { Agent } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { createSimulator, type LogEntry, type SimulatorOptions } from '../index.ts'
import { key, post, ruleText, send, sendRaw, statusOf } from '../testing/client.ts'
import { latchBeforeSave } from './testing/latch.ts'

async function started(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ port: 0, apiKey: key, ...options })
  await simulator.start()
  return simulator
}

const head = (line: string, ...fields: readonly string[]) =>
  `${[line, 'Host: a', `X-API-Key: ${key}`, ...fields].join('\r\n')}\r\n\r\n`
const body = (response: string) => response.slice(response.indexOf('\r\n\r\n') + 4)
const errorIn = (response: string) => ({ status: statusOf(response), members: Object.keys(JSON.parse(body(response))) })

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['an unknown version', 'GET /api/status HTTP/9.9\r\nHost: a\r\n\r\n', 400],
  ['a header without a colon', 'GET /api/status HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n', 400],
  ['a bad Content-Length', head('POST /api/rules HTTP/1.1', 'Content-Length: x'), 400],
  ['two lengths', head('POST /api/rules HTTP/1.1', 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
  ['a bad chunk', `${head('POST /api/rules HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n`, 400],
  ['headers that are too large', head('GET /api/status HTTP/1.1', `X-Long: ${'x'.repeat(100_000)}`), 431],
  ['no Host', 'GET /api/status HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['CONNECT', head('CONNECT a:1 HTTP/1.1'), 404],
  ['TRACE', head('TRACE /api/status HTTP/1.1', 'Connection: close'), 405],
  ['PROPFIND', head('PROPFIND /api/status HTTP/1.1', 'Connection: close'), 405],
])('%s gets a JSON error, and the server keeps running', async (_, bytes, status) => {
  await using simulator = await started()
  expect(errorIn(await sendRaw(simulator, bytes))).toEqual({ status, members: ['error'] })
  expect((await send(simulator)).status).toBe(200)
})

test('an unknown expectation is ignored', async () => {
  await using simulator = await started()
  const response = await sendRaw(simulator, head('GET /api/status HTTP/1.1', 'Expect: miracles', 'Connection: close'))
  expect(statusOf(response)).toBe(200)
})

test('a request target in absolute form is accepted', async () => {
  await using simulator = await started()
  const response = await sendRaw(simulator, head('GET http://a/api/status?x=1 HTTP/1.1', 'Connection: close'))
  expect(statusOf(response)).toBe(200)
})

test('an incomplete body gets 408 in time and changes nothing', async () => {
  await using simulator = await started({ requestTimeoutMs: 100 })
  const response = await sendRaw(simulator, `${head('POST /api/rules HTTP/1.1', 'Content-Length: 999')}${ruleText()}`)
  expect(errorIn(response)).toEqual({ status: 408, members: ['error'] })
  expect(simulator.rules).toEqual([])
})

test('an incomplete head gets 408 in time', async () => {
  await using simulator = await started({ requestTimeoutMs: 100 })
  expect(statusOf(await sendRaw(simulator, 'GET /api/sta'))).toBe(408)
})

test('a body that ends before its length gets 400', async () => {
  await using simulator = await started()
  const socket = connect({ host: '127.0.0.1', port: simulator.port, allowHalfOpen: true })
  const response = text(socket)
  socket.end(`${head('POST /api/rules HTTP/1.1', 'Content-Length: 999')}${ruleText()}`)
  expect(errorIn(await response)).toEqual({ status: 400, members: ['error'] })
  expect(simulator.rules).toEqual([])
})

test('pipelined requests get their responses in order, the error for the malformed one last', async () => {
  await using simulator = await started()
  const get = head('GET /api/rules HTTP/1.1')
  const add = `${head('POST /api/rules HTTP/1.1', `Content-Length: ${ruleText().length}`)}${ruleText()}`
  const response = await sendRaw(simulator, `${add}${get}BREW / HTTP/1.1\r\n\r\n`)
  expect(response.match(/HTTP\/1\.1 \d+|"total":\d/g)).toEqual([
    'HTTP/1.1 201',
    'HTTP/1.1 200',
    '"total":1',
    'HTTP/1.1 400',
  ])
})

test('a body that arrives in two packets behind an earlier request is read as a whole', async () => {
  const { override, reached, open } = latchBeforeSave()
  await using simulator = await started({ override })
  const text = ruleText()
  const add = head('POST /api/rules HTTP/1.1', `Content-Length: ${text.length}`)
  const socket = connect({ host: '127.0.0.1', port: simulator.port })
  socket.write(`${add}${text}${add}${text.slice(0, 20)}`)
  await reached
  socket.write(text.slice(20))
  // When this has a response, the server has received what was written before it.
  await send(simulator)
  open()
  await expect.poll(() => simulator.rules).toHaveLength(2)
  socket.destroy()
})

test('a lower-case post is served with its body, however it is split into packets', async () => {
  await using simulator = await started({ profile: { 'plugin.method.lower-case': 'accepted' } })
  const request = head('post /api/rules HTTP/1.1', `Content-Length: ${ruleText().length}`)
  expect(statusOf(await sendRaw(simulator, `${request}${ruleText()}`))).toBe(201)
  const socket = connect({ host: '127.0.0.1', port: simulator.port })
  const response = new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(chunk.toString()))
  })
  await new Promise<void>((resolve) => {
    socket.write(request, () => resolve())
  })
  socket.write(ruleText())
  expect(statusOf(await response)).toBe(201)
  expect(simulator.rules).toHaveLength(2)
})

test.each(['BREW', 'get', 'Get'])(
  'the method %s gets 401, 404 and 405 like any other, if the profile accepts it as a method',
  async (method) => {
    const profile = { 'plugin.method.unknown': '405', 'plugin.method.lower-case': '405' } as const
    await using simulator = await started({ profile })
    const rest = 'HTTP/1.1\r\nHost: a\r\n'
    expect(statusOf(await sendRaw(simulator, `${method} /api/status ${rest}\r\n`))).toBe(401)
    expect(statusOf(await sendRaw(simulator, `${method} /nowhere ${rest}X-API-Key: ${key}\r\n\r\n`))).toBe(404)
    const response = await sendRaw(simulator, `${method} /api/status ${rest}X-API-Key: ${key}\r\n\r\n`)
    expect(response).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\nAllow: GET, HEAD\r\n/)
  },
)

test('after a body that is too large the connection can still be used', async () => {
  await using simulator = await started()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const large = await post(simulator, ruleText() + ' '.repeat(2 ** 21), { agent })
  expect([large.status, Object.keys(JSON.parse(large.text))]).toEqual([400, ['error']])
  expect((await post(simulator, ruleText(), { agent })).status).toBe(201)
  agent.destroy()
})

test('a client that disconnects in the middle of its body causes no server error', async () => {
  const entries: LogEntry[] = []
  await using simulator = await started({ log: (entry) => entries.push(entry) })
  const socket = connect({ host: '127.0.0.1', port: simulator.port })
  socket.write(`${head('POST /api/rules HTTP/1.1', 'Content-Length: 999')}{`, () => socket.resetAndDestroy())
  await vi.waitFor(() => expect(entries.find(({ event }) => event === 'request')).toMatchObject({ status: 'dropped' }))
  expect(entries.filter(({ level }) => level === 'error')).toEqual([])
})
