import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { sendRaw } from '../../testing/client.ts'
import { faulty, headers, rule, status } from './faulty.test-data.ts'

test('a `respond` fault replaces the response of the plugin, which does nothing', async () => {
  const effect = { kind: 'answer', status: 503, body: { error: 'later' }, headers: { 'Retry-After': '1' } } as const
  const simulator = await faulty({ when: { method: 'POST' }, effect })
  const answer = await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers, body: JSON.stringify(rule) })
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    503,
    '1',
    { error: 'later' },
  ])
  expect(simulator.control.rules()).toHaveLength(1)
  expect(await status(simulator)).toBe(200)
})

test.for([
  ['reset', /ECONNRESET/],
  ['empty', /UND_ERR_SOCKET/],
  ['garbage', /Expected HTTP/],
  ['truncate', /UND_ERR_SOCKET/],
  ['bad-chunk', /chunk size/],
  ['lose-answer', /ECONNRESET/],
] as const)('a client sees %s as %s', async ([kind, error]) => {
  expect(await status(await faulty({ effect: { kind }, times: 1 }))).toMatch(error)
})

test('a lost response leaves the change made, a reset connection does not', async () => {
  const losing = await faulty({ effect: { kind: 'lose-answer' } })
  await status(losing, 'POST', rule)
  expect(losing.control.rules()).toHaveLength(2)
  const resetting = await faulty({ effect: { kind: 'reset' } })
  await status(resetting, 'POST', rule)
  expect(resetting.control.rules()).toHaveLength(1)
})

test.for([
  { kind: 'garbage' },
  { kind: 'truncate' },
  { kind: 'bad-chunk' },
  { kind: 'slow-body', msPerByte: 0 },
] as const)('the simulator ends the request of a client that does not close its connection: %j', async (effect) => {
  const simulator = await faulty({ effect })
  // The HttpClient of Java leaves a connection open after bytes that are not HTTP.
  const client = connect({ port: simulator.port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void client.destroy())
  client.on('error', () => undefined).resume()
  client.write('GET /api/rules HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\n\r\n')
  expect(await simulator.control.journal.waitFor(1)).toMatchObject([{ fault: 'fault-1' }])
})

test('many requests can be delayed at once without a warning from Node.js', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const simulator = await faulty({ effect: { kind: 'delay', ms: 100 } })
  expect(await Promise.all(Array.from({ length: 20 }, () => status(simulator)))).toEqual(Array(20).fill(200))
  expect(warnings).toEqual([])
})

test('a delay comes before the response, a slow body within it', async () => {
  const simulator = await faulty({ effect: { kind: 'delay', ms: 60 }, times: 1 })
  simulator.control.faults.add({ effect: { kind: 'slow-body', msPerByte: 0 } })
  const startedAt = performance.now()
  expect(await status(simulator)).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThan(55)
  const answer = await fetch(`${simulator.url}/api/rules`, { headers })
  expect(await answer.json()).toMatchObject({ total: 1 })
  expect((await simulator.control.journal.waitFor(2)).map((entry) => entry.status)).toEqual([200, 200])
})

test('a hanging request waits until the client gives up', async () => {
  const simulator = await faulty({ effect: { kind: 'hang' } })
  const pending = request(`${simulator.url}/api/rules`, { headers })
  const failed = new Promise((resolve) => pending.once('error', resolve))
  pending.end()
  const waiting = simulator.control.journal.waitFor(1)
  await expect.poll(() => simulator.control.faults.list()[0]?.played).toBe(1)
  pending.destroy(new Error('given up'))
  await failed
  expect(await waiting).toMatchObject([
    { status: null, fault: 'fault-1', decision: expect.stringContaining('no response') },
  ])
})

test.for([{ kind: 'hang' }, { kind: 'delay', ms: 60_000 }, { kind: 'slow-body', msPerByte: 60_000 }] as const)(
  'a stop and a reset do not wait for a request that a fault delays: %j',
  async (effect) => {
    const simulator = await faulty({ effect })
    const held = async () => {
      const pending = status(simulator, 'POST', rule)
      await expect.poll(() => simulator.control.faults.list()[0]?.played).toBe(1)
      return pending
    }
    const first = held()
    await expect.poll(() => simulator.control.faults.list()[0]?.played).toBe(1)
    await simulator.control.reset()
    expect(await first).toBeTypeOf('string')
    simulator.control.faults.add({ effect })
    const second = held()
    await expect.poll(() => simulator.control.faults.list()[0]?.played).toBe(1)
    const startedAt = performance.now()
    await simulator.stop()
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    expect(await second).toBeTypeOf('string')
  },
)

test('a crash breaks a delayed request at once, also one that came through the handler', async () => {
  const simulator = await faulty({ effect: { kind: 'delay', ms: 60_000 } })
  const server = createServer(simulator.callback()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pending = fetch(`http://127.0.0.1:${port}/api/rules`, { headers }).catch(() => 'broken')
  await expect.poll(() => simulator.control.faults.list()[0]?.played).toBe(1)
  await simulator.crash()
  expect(await pending).toBe('broken')
  expect(simulator.control.journal.find()).toMatchObject([{ status: null, fault: 'fault-1' }])
})

test('HEAD gets no body byte by byte either', async () => {
  const simulator = await faulty({ effect: { kind: 'slow-body', msPerByte: 0 } })
  const received = await sendRaw(simulator, 'HEAD /api/rules HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\n\r\n')
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n.*Content-Length: \d{3}\r\n.*\r\n\r\n$/s)
})

test('a response that is sent byte by byte ends when its client disconnects', async () => {
  const simulator = await faulty({ effect: { kind: 'slow-body', msPerByte: 60_000 } })
  const pending = request(`${simulator.url}/api/rules`, { headers })
  const failed = new Promise((resolve) => pending.once('error', resolve))
  pending.end()
  await expect.poll(() => simulator.control.faults.list()[0]?.played).toBe(1)
  const waiting = simulator.control.journal.waitFor(1)
  pending.destroy(new Error('given up'))
  await failed
  expect(await waiting).toMatchObject([{ fault: 'fault-1' }])
})
