import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { pluginQuestions } from '../../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../../spec/plugin/requirements.ts'
import {
  createSimulator,
  type JournalEntry,
  type MistakeKind,
  type Override,
  type Simulator,
  type SimulatorOptions,
} from '../../index.ts'
import { latchBeforeSave } from '../../plugin/testing/latch.ts'
import { reasons } from './decision.ts'
import { mistakeKinds } from './mistakes.ts'

const parameters = {
  API_Key: 'secret-key',
  Copy_1: '1001>2001,mult,1.5,same',
  Copy_2: '1001>2002,mult,1.5,same',
  Copy_3: '1001>2003,mult,1.5,same',
}
const rule = { master: 5, follower: 6, mode: 'multiplier', value: 2, direction: 'reverse' }

async function started(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = createSimulator({ port: 0, parameters, ...options })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  return simulator
}

interface Asked {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

async function ask(
  { url }: Simulator,
  method: string,
  path: string,
  { key = 'secret-key', body, headers, signal }: Asked = {},
) {
  const all = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Connection': 'close', ...headers }
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const init = { method, headers: all, ...(text === undefined ? {} : { body: text }), ...(signal && { signal }) }
  // A body that is not read is cancelled when the response is garbage-collected.
  await fetch(`${url}${path}`, init)
    .then((response) => response.arrayBuffer())
    .catch(() => null)
}

const kinds = ({ control }: Simulator): readonly MistakeKind[] =>
  control.clientReport().mistakes.map(({ kind }) => kind)

test.for([
  ['GET', '/api/status', {}, { status: 200, stage: 'render', operation: 'read-status', because: ['plugin.status.ok'] }],
  ['POST', '/api/rules', { body: rule }, { status: 201, operation: 'add-rule', rulesBefore: 3, rulesAfter: 4 }],
  ['POST', '/api/rules', { body: '{' }, { status: 400, stage: 'validate', because: ['plugin.errors.every'] }],
  ['GET', '/api/rules', { key: 'x' }, { status: 401, because: ['plugin.errors.every', 'plugin.auth.reads-need-key'] }],
  ['GET', '/api/none', {}, { status: 404, stage: 'route', because: ['plugin.path.unknown'] }],
  ['DELETE', '/api/rules/9', {}, { status: 404, because: ['plugin.delete.index-past-end'] }],
  ['PUT', '/api/status', {}, { status: 405, because: ['plugin.method.not-allowed', 'plugin.method.allow'] }],
] as const)('%s %s is recorded with the decision and its reason', async ([method, path, asked, expected]) => {
  const simulator = await started()
  await ask(simulator, method, path, asked)
  expect(simulator.control.journal.find()).toMatchObject([{ id: 1, method, target: path, ...expected }])
})

test('a full list is distinguished from other server errors', async () => {
  const simulator = await started({ capacity: 3 })
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(simulator.control.journal.find({ because: 'plugin.capacity.answers-500' })).toMatchObject([{ status: 500 }])
})

test('a change that precedes the response to a rejected request is not attributed to that request', async () => {
  let change: Promise<void> | undefined
  const simulator: Simulator = await started({
    override: ({ unknownEndpoint }) => ({
      unknownEndpoint: () => {
        change ??= simulator.control.replaceRules([])
        return unknownEndpoint()
      },
    }),
  })
  await ask(simulator, 'GET', '/api/nothing')
  await change
  expect(simulator.rules).toEqual([])
  const [{ rulesBefore, rulesAfter } = {}] = simulator.control.journal.find()
  expect(rulesBefore).toBeGreaterThan(0)
  expect(rulesAfter).toBe(rulesBefore)
})

test('the key is never recorded', async () => {
  const simulator = await started()
  await ask(simulator, 'POST', '/api/rules?key=secret-key', { body: { ...rule, note: 'secret-key' } })
  await ask(simulator, 'GET', '/api/rules', {
    headers: { 'X-Note': `a ${Buffer.from('secret-key').toString('base64')}` },
  })
  expect(JSON.stringify(simulator.control.journal.find())).not.toMatch(/secret-key|c2VjcmV0LWtleQ/)
})

test('the journal keeps the newest entries, and with limit 0 none', async () => {
  const short = await started({ journal: 2 })
  for (const path of ['/api/a', '/api/b', '/api/c']) await ask(short, 'GET', path)
  expect(short.control.journal.find().map(({ id, target }) => [id, target])).toEqual([
    [2, '/api/b'],
    [3, '/api/c'],
  ])
  const none = await started({ journal: 0 })
  await ask(none, 'GET', '/api/rules')
  expect(none.control.journal.count()).toBe(0)
})

test('a test can wait for requests and subscribe to them', async () => {
  const simulator = await started()
  const { journal } = simulator.control
  const followed: JournalEntry[] = []
  const end = journal.subscribe((entry) => followed.push(entry))
  const waiting = journal.waitFor(2, { method: 'GET', path: '/api/rules', status: 200 })
  for (const path of ['/api/rules', '/api/status', '/api/rules?x=1']) await ask(simulator, 'GET', path)
  expect((await waiting).map(({ id }) => id)).toEqual([1, 3])
  end()
  await ask(simulator, 'GET', '/api/rules')
  expect(followed).toHaveLength(3)
  await expect(journal.waitFor(9, {}, 20)).rejects.toThrow('4 of 9 requests arrived within 20 ms')
  // Longer than a timer of Node.js.
  const fifth = journal.waitFor(5, {}, 2 ** 31)
  await ask(simulator, 'GET', '/api/rules')
  expect(await fifth).toHaveLength(5)
})

test('a wait for more requests than the journal keeps is rejected, as it could only time out', async () => {
  const { journal } = createSimulator({ journal: 2 }).control
  expect(await journal.waitFor(0)).toEqual([])
  await expect(journal.waitFor(3)).rejects.toThrow('count must be at most 2, as the journal keeps no more requests.')
})

test('invalid HTTP is recorded too', async () => {
  const simulator = await started()
  await ask(simulator, 'GET', '/api/rules', { headers: { 'X-Long': 'x'.repeat(40_000) } })
  expect(simulator.control.journal.find()).toMatchObject([
    { method: '', stage: null, decision: expect.stringContaining('not valid HTTP') },
  ])
})

test('a client that reads the list before each removal makes no mistake', async () => {
  const simulator = await started()
  for (const index of [2, 0]) {
    await ask(simulator, 'GET', '/api/rules')
    await ask(simulator, 'DELETE', `/api/rules/${index}`)
  }
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  await ask(simulator, 'DELETE', '/api/rules/1')
  expect(kinds(simulator)).toEqual([])
})

test('a removal by an index read before another change is a mistake, and worse if it removes another rule', async () => {
  const harmless = await started()
  await ask(harmless, 'GET', '/api/rules')
  await ask(harmless, 'DELETE', '/api/rules/2')
  await ask(harmless, 'DELETE', '/api/rules/1')
  expect(kinds(harmless)).toEqual(['stale-index'])
  const wrong = await started()
  await ask(wrong, 'GET', '/api/rules')
  await ask(wrong, 'DELETE', '/api/rules/0')
  await ask(wrong, 'DELETE', '/api/rules/1')
  expect(kinds(wrong)).toEqual(['wrong-rule-removed', 'stale-index'])
  expect(wrong.control.clientReport().mistakes[0]).toMatchObject({
    entry: 3,
    what: expect.stringContaining('1001>2003'),
  })
})

test('a removal without reading the list first is a mistake', async () => {
  const simulator = await started()
  await ask(simulator, 'DELETE', '/api/rules/0')
  expect(kinds(simulator)).toEqual(['stale-index'])
})

test('repeating a write is a mistake unless the list was read in between', async () => {
  const simulator = await started()
  simulator.control.faults.add({ effect: { kind: 'reset' }, when: { method: 'POST' }, times: 2 })
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  await ask(simulator, 'GET', '/api/rules')
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(kinds(simulator)).toEqual([])
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(kinds(simulator)).toEqual(['retried-unread'])
})

test.for([
  { kind: 'answer', status: 500 },
  { kind: 'hang' },
  { kind: 'reset' },
  { kind: 'empty' },
  { kind: 'garbage' },
  { kind: 'lose-answer' },
  { kind: 'disk-full' },
] as const)('a repeated write is recognised whatever a fault did to the first one: $kind', async (effect) => {
  const simulator = await started()
  simulator.control.faults.add({ effect, when: { method: 'POST' }, times: 1 })
  for (let turn = 0; turn < 2; turn++) {
    await ask(simulator, 'POST', '/api/rules', { body: rule, signal: AbortSignal.timeout(200) })
  }
  const [first, second] = await simulator.control.journal.waitFor(2, { method: 'POST' })
  expect([first?.body, second?.body]).toEqual([JSON.stringify(rule), JSON.stringify(rule)])
  expect(kinds(simulator)).toContain('retried-unread')
  const other = await started()
  other.control.faults.add({ effect, times: 1 })
  await ask(other, 'POST', '/api/rules', { body: rule, signal: AbortSignal.timeout(200) })
  await ask(other, 'POST', '/api/rules', { body: { ...rule, follower: 7 } })
  expect(kinds(other)).toEqual([])
})

test.for([
  { kind: 'delay', ms: 500 },
  { kind: 'slow-body', msPerByte: 50 },
] as const)('a client that gave up has no response and has read no list: $kind', async (effect) => {
  const simulator = await started()
  simulator.control.faults.add({ effect, when: { method: 'GET' } })
  const client = new AbortController()
  const asked = ask(simulator, 'GET', '/api/rules', { signal: client.signal })
  await expect.poll(() => simulator.control.faults.list()[0]?.played).toBe(1)
  client.abort()
  await asked
  expect(await simulator.control.journal.waitFor(1)).toMatchObject([{ status: null, operation: 'list-rules' }])
  await ask(simulator, 'DELETE', '/api/rules/1')
  expect(kinds(simulator)).toEqual(['stale-index'])
})

test.for([1, 5])(
  'a client that reads a response to its end has read the list: %i ms for each byte',
  async (msPerByte) => {
    const simulator = await started()
    simulator.control.faults.add({ effect: { kind: 'slow-body', msPerByte }, when: { method: 'GET' } })
    await ask(simulator, 'GET', '/api/rules')
    expect(await simulator.control.journal.waitFor(1)).toMatchObject([{ status: 200, operation: 'list-rules' }])
    await ask(simulator, 'DELETE', '/api/rules/1')
    expect(kinds(simulator)).toEqual([])
  },
)

test('after a 429 the result of the lost write before it is still unknown', async () => {
  const simulator = await started()
  const addition = { method: 'POST' }
  simulator.control.faults.add({ effect: { kind: 'lose-answer' }, when: addition, times: 1 })
  simulator.control.faults.add({ effect: { kind: 'answer', status: 429 }, when: addition, times: 1 })
  for (let count = 0; count < 3; count += 1) await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(kinds(simulator).filter((kind) => kind === 'retried-unread')).toHaveLength(2)
})

test('HEAD does not read the list', async () => {
  const simulator = await started()
  await ask(simulator, 'HEAD', '/api/rules')
  await ask(simulator, 'DELETE', '/api/rules/1')
  expect(kinds(simulator)).toEqual(['stale-index'])
  const { coverage } = simulator.control.clientReport()
  expect(coverage.find(({ id }) => id === 'list-read')?.times).toBe(0)
})

test('a list that a fault served was read by the client', async () => {
  const simulator = await started()
  const body = {
    rules: [{ index: 1, master: 1001, follower: 2002, mode: 'mult', value: 1.5, direction: 'same' }],
    total: 1,
  }
  simulator.control.faults.add({ when: { method: 'GET' }, effect: { kind: 'answer', status: 200, body } })
  await ask(simulator, 'GET', '/api/rules?again')
  await ask(simulator, 'DELETE', '/api/rules/1')
  expect(kinds(simulator)).toEqual([])
  await ask(simulator, 'GET', '/api/status')
  await ask(simulator, 'DELETE', '/api/rules/0')
  expect(kinds(simulator)).toEqual(['stale-index'])
})

test('a text that a fault served in place of the list is not a list', async () => {
  const simulator = await started()
  simulator.control.faults.add({ when: { method: 'GET' }, effect: { kind: 'answer', status: 200, body: 'no list' } })
  await ask(simulator, 'GET', '/api/rules')
  await ask(simulator, 'DELETE', '/api/rules/0')
  expect(kinds(simulator)).toEqual(['stale-index'])
})

test('a change is a mistake even if its response is lost', async () => {
  const simulator = await started()
  await ask(simulator, 'GET', '/api/rules')
  await ask(simulator, 'DELETE', '/api/rules/0')
  simulator.control.faults.add({ effect: { kind: 'lose-answer' } })
  await ask(simulator, 'DELETE', '/api/rules/1')
  await ask(simulator, 'POST', '/api/rules', { body: { ...rule, master: 1001, follower: 2002 } })
  expect(kinds(simulator)).toEqual(['wrong-rule-removed', 'stale-index', 'duplicate-rule'])
})

test.for([408, 425, 429])('a write may be repeated after %i', async (status) => {
  const simulator = await started()
  simulator.control.faults.add({ effect: { kind: 'answer', status }, times: 2 })
  for (let turn = 0; turn < 3; turn++) await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(kinds(simulator)).toEqual([])
})

test.for([
  ['application/json', []],
  ['Application/JSON ; charset=utf-8', []],
  ['application/json-patch+json', ['no-json-content-type']],
] as const)('a body of the type %s has the mistakes %j', async ([type, expected]) => {
  const simulator = await started()
  await ask(simulator, 'POST', '/api/rules', { body: rule, headers: { 'Content-Type': type } })
  expect(kinds(simulator)).toEqual(expected)
})

test('a write that a fault rejects differs from one that the plugin rejects', async () => {
  const simulator = await started()
  simulator.control.faults.add({ effect: { kind: 'answer', status: 400 } })
  for (const follower of [7, 8]) await ask(simulator, 'POST', '/api/rules', { body: { ...rule, follower } })
  expect(kinds(simulator)).toEqual([])
  simulator.control.faults.clear()
  await ask(simulator, 'POST', '/api/rules', { body: { ...rule, value: 0 } })
  simulator.control.faults.add({ effect: { kind: 'answer', status: 400 } })
  await ask(simulator, 'POST', '/api/rules', { body: { ...rule, value: 0 } })
  expect(kinds(simulator)).toEqual(['refusal-repeated'])
})

test('a body under a fault is recorded as far as it is received, up to the limit of the plugin', async () => {
  const simulator = await started()
  simulator.control.faults.add({ effect: { kind: 'answer', status: 503 } })
  const head = (lengthBytes: number) =>
    `POST /api/rules HTTP/1.1\r\nHost: a\r\nX-API-Key: secret-key\r\nConnection: close\r\nContent-Length: ${lengthBytes}\r\n\r\n`
  const exchange = async (packets: readonly (string | Uint8Array)[]) => {
    const socket = connect({ host: '127.0.0.1', port: simulator.port })
    const ended = once(socket, 'end')
    for (const packet of packets) {
      socket.write(packet)
      await delay(50)
    }
    socket.resume()
    await ended
  }
  await exchange([head(6), 'abc', 'def'])
  await exchange([head(6), 'abc'])
  await exchange([head(2 ** 21), Buffer.alloc(2 ** 21, ' ')])
  const entries = await simulator.control.journal.waitFor(3)
  expect(entries.map(({ body, status }) => [body, status])).toEqual([
    ['abcdef', 503],
    ['abc', 503],
    [null, 503],
  ])
})

test.for([0, 10])('a delayed write is applied although its client gave up; journal: %i', async (journal) => {
  const simulator = await started({ journal })
  simulator.control.faults.add({ effect: { kind: 'delay', ms: 200 }, times: 1 })
  const client = new AbortController()
  const asked = ask(simulator, 'POST', '/api/rules', { body: rule, signal: client.signal })
  await expect.poll(() => simulator.control.faults.list()[0]?.played).toBe(1)
  client.abort()
  await asked
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  await expect.poll(() => simulator.rules.length).toBe(5)
  await expect.poll(() => kinds(simulator)).toEqual(journal === 0 ? [] : ['duplicate-rule'])
})

test('a long body that the plugin accepts passes through a delay', async () => {
  const simulator = await started({ profile: { 'plugin.body.size-limit': 'accepted' } })
  simulator.control.faults.add({ effect: { kind: 'delay', ms: 20 } })
  await ask(simulator, 'POST', '/api/rules', { body: `${' '.repeat(2 ** 21)}${JSON.stringify(rule)}` })
  expect(simulator.control.journal.find()).toMatchObject([
    { status: 201, body: expect.stringContaining('bytes in all') },
  ])
})

test('a body without a content type, a key in the URL and repeated use of a wrong key are mistakes', async () => {
  const simulator = await started()
  await ask(simulator, 'POST', '/api/rules', { body: rule, headers: { 'Content-Type': '' } })
  await ask(simulator, 'GET', '/api/rules?key=secret-key')
  for (let turn = 0; turn < 3; turn++) await ask(simulator, 'GET', '/api/status', { key: 'wrong' })
  expect(kinds(simulator)).toEqual(['no-json-content-type', 'key-in-url', 'key-refused-again'])
  const { mistakes, coverage } = simulator.control.clientReport()
  const needKey = ['plugin.auth.reads-need-key', 'plugin.auth.changes-need-key']
  expect(mistakes.at(-1)?.requirements).toEqual(needKey)
  expect(coverage.find(({ id }) => id === 'unauthorized')?.requirements).toEqual(needKey)
})

test('the report lists the situations that a client has and has not met', async () => {
  const simulator = await started({ capacity: 4 })
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  await ask(simulator, 'DELETE', '/api/rules/0')
  const { coverage } = simulator.control.clientReport()
  const met = coverage.filter(({ times }) => times > 0).map(({ id }) => id)
  expect(met).toEqual(['added', 'alias', 'reverse', 'removed', 'shift', 'capacity'])
  expect(coverage.find(({ id }) => id === 'unauthorized')).toMatchObject({ times: 0, firstEntry: null })
})

test('only the Bearer scheme is recognised, and the key is not recorded', async () => {
  const simulator = await started()
  const { journal, clientReport } = simulator.control
  const bearers = () => clientReport().coverage.find(({ id }) => id === 'bearer')?.times
  await ask(simulator, 'GET', '/api/status', { headers: { Authorization: `Basic ${btoa('a:b')}` } })
  await ask(simulator, 'GET', '/api/status', { headers: { Authorization: 'Bearerish x' } })
  expect(bearers()).toBe(0)
  await ask(simulator, 'GET', '/api/status', { key: '', headers: { Authorization: 'Bearer secret-key' } })
  expect(bearers()).toBe(1)
  const values = journal.find().flatMap(({ headers }) => headers.filter(([name]) => /^authorization$/i.test(name)))
  expect(values.map(([, value]) => value)).toEqual(['[redacted]', '[redacted]', 'Bearer [redacted]'])
})

test('concurrent deletes rely on one list, and all but the first on an outdated one', async () => {
  const latch = latchBeforeSave()
  let arrived = 0
  const override: Override = (hooks) => ({
    ...latch.override(hooks),
    asksForKey: (received) => {
      arrived++
      return hooks.asksForKey(received)
    },
  })
  const simulator = await started({ override })
  await ask(simulator, 'GET', '/api/rules')
  const deletes = ['0', '1'].map((index) => ask(simulator, 'DELETE', `/api/rules/${index}`))
  // Both have arrived before the first is applied.
  await latch.reached
  await expect.poll(() => arrived).toBe(3)
  latch.open()
  await Promise.all(deletes)
  expect(kinds(simulator)).toEqual(['wrong-rule-removed', 'stale-index'])
  expect(simulator.control.journal.find({ method: 'DELETE' })).toMatchObject([
    { rulesBefore: 3, rulesAfter: 2 },
    { rulesBefore: 2, rulesAfter: 1 },
  ])
})

test('the list recorded for a request is the one after it, however slow the response is', async () => {
  const simulator = await started()
  simulator.control.faults.add({ when: { method: 'DELETE' }, effect: { kind: 'slow-body', msPerByte: 1 } })
  const slow = ask(simulator, 'DELETE', '/api/rules/0')
  await expect.poll(() => simulator.rules.length, { interval: 5 }).toBe(2)
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(simulator.control.journal.count({ method: 'DELETE' })).toBe(0)
  await slow
  const [entry] = await simulator.control.journal.waitFor(1, { method: 'DELETE' })
  expect(entry).toMatchObject({ rulesBefore: 3, rulesAfter: 2 })
})

test('an addition tells the client only where the new rule is', async () => {
  const own = await started()
  await ask(own, 'POST', '/api/rules', { body: rule })
  await ask(own, 'DELETE', '/api/rules/3')
  expect(kinds(own)).toEqual([])
  const other = await started()
  await ask(other, 'GET', '/api/rules')
  await ask(other, 'DELETE', '/api/rules/0')
  await ask(other, 'POST', '/api/rules', { body: rule })
  await ask(other, 'DELETE', '/api/rules/1')
  expect(kinds(other)).toEqual(['wrong-rule-removed', 'stale-index'])
})

test('an addition at the start of the list makes a list outdated, except for the new rule', async () => {
  const profile = { 'plugin.add.position': 'start' } as const
  const own = await started({ profile })
  await ask(own, 'GET', '/api/rules')
  await ask(own, 'POST', '/api/rules', { body: rule })
  await ask(own, 'DELETE', '/api/rules/0')
  expect(kinds(own)).toEqual([])
  const other = await started({ profile })
  await ask(other, 'GET', '/api/rules')
  await ask(other, 'POST', '/api/rules', { body: rule })
  await ask(other, 'DELETE', '/api/rules/1')
  expect(kinds(other)).toEqual(['wrong-rule-removed', 'stale-index'])
})

test('a restart that loads the same rules does not make a list outdated', async () => {
  const simulator = await started()
  await ask(simulator, 'GET', '/api/rules')
  await simulator.control.restart()
  await ask(simulator, 'DELETE', '/api/rules/1')
  expect(kinds(simulator)).toEqual([])
})

test('without the first requests, no mistake is reported that they could rule out', async () => {
  const simulator = await started({ journal: 1 })
  await ask(simulator, 'GET', '/api/rules')
  await ask(simulator, 'DELETE', '/api/rules/1')
  expect(simulator.control.clientReport()).toMatchObject({ requests: 1, forgotten: 1, mistakes: [] })
})

test('repeating a rejected write and adding to a full list are mistakes', async () => {
  const simulator = await started({ capacity: 3 })
  for (let turn = 0; turn < 2; turn++) await ask(simulator, 'POST', '/api/rules', { body: { ...rule, value: 0 } })
  for (const follower of [7, 8]) await ask(simulator, 'POST', '/api/rules', { body: { ...rule, follower } })
  expect(kinds(simulator)).toEqual(['refusal-repeated', 'full-list-ignored'])
})

test('a write that is repeated many times is always compared with the first', async () => {
  const simulator = await started()
  for (let turn = 0; turn < 3; turn++) await ask(simulator, 'POST', '/api/rules', { body: { ...rule, value: 0 } })
  simulator.control.faults.add({ effect: { kind: 'reset' } })
  for (let turn = 0; turn < 3; turn++) await ask(simulator, 'POST', '/api/rules', { body: rule })
  const { mistakes } = simulator.control.clientReport()
  expect(mistakes.map(({ kind, what }) => [kind, /entry (\d)/.exec(what)?.[1]])).toEqual([
    ['refusal-repeated', '1'],
    ['refusal-repeated', '1'],
    ['retried-unread', '4'],
    ['retried-unread', '4'],
  ])
})

test('a duplicate pair, an account that copies itself and a key in the body are mistakes', async () => {
  const simulator = await started()
  await ask(simulator, 'POST', '/api/rules', { body: { ...rule, master: 1001, follower: 2001 } })
  await ask(simulator, 'POST', '/api/rules', { body: { ...rule, master: 9, follower: 9 } })
  await ask(simulator, 'POST', '/api/rules', { body: { ...rule, api_key: 'secret-key' } })
  expect(kinds(simulator)).toEqual(['duplicate-rule', 'self-copy', 'key-in-body'])
})

test('the key is found even if a letter of it is encoded or the text is truncated', async () => {
  const simulator = await started()
  await ask(simulator, 'GET', '/api/rules?key=%73ecret-key')
  for (const length of [4_090, 4_096, 4_095 + 10]) {
    await ask(simulator, 'POST', '/api/rules', { body: `${' '.repeat(length)}secret-key` })
  }
  const text = JSON.stringify(simulator.control.journal.find())
  expect(text).not.toMatch(/secret|ecret-key/)
  expect(kinds(simulator)).toContain('key-in-url')
})

test('a clear also discards requests that are still in flight', async () => {
  const simulator = await started()
  simulator.control.faults.add({ effect: { kind: 'delay', ms: 400 } })
  const pending = ask(simulator, 'GET', '/api/rules')
  await expect.poll(() => simulator.control.faults.list()[0]?.played, { interval: 5 }).toBe(1)
  simulator.control.journal.clear()
  await pending
  expect(simulator.control.journal.count()).toBe(0)
})

test('every id that the journal refers to is a requirement or a question', async () => {
  const known = new Set([...pluginRequirements, ...pluginQuestions].map(({ id }) => id as string))
  const { coverage } = createSimulator().control.clientReport()
  expect(coverage.flatMap(({ requirements }) => requirements).filter((id) => !known.has(id))).toEqual([])
  const ids = [
    ...reasons.flatMap(([, ...because]) => because),
    ...mistakeKinds.flatMap(({ requirements }) => requirements),
  ]
  expect(ids.filter((id) => !known.has(id))).toEqual([])
})

test.for([
  ['a read', {}, 200],
  ['invalid HTTP', { 'X-Long': 'x'.repeat(40_000) }, 431],
] as const)('a listener that throws for %s is logged, and affects no client and no listener', async (request) => {
  const [, headers, status] = request
  const events: string[] = []
  const simulator = await started({ log: ({ event }) => events.push(event) })
  const { journal } = simulator.control
  journal.subscribe(() => {
    throw new Error('a mistake of the listener')
  })
  const waiting = journal.waitFor(1)
  await ask(simulator, 'GET', '/api/rules', { headers })
  expect(await waiting).toMatchObject([{ status }])
  expect(events).toContain('journal-failed')
})
