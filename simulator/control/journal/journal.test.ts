import { expect, onTestFinished, test } from 'vitest'
import {
  createSimulator,
  type JournalEntry,
  type MistakeKind,
  type Simulator,
  type SimulatorOptions,
} from '../../index.ts'

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
}

async function ask(
  { url }: Simulator,
  method: string,
  path: string,
  { key = 'secret-key', body, headers }: Asked = {},
) {
  const all = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Connection': 'close', ...headers }
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  await fetch(`${url}${path}`, { method, headers: all, ...(text === undefined ? {} : { body: text }) }).catch(
    () => null,
  )
}

const kinds = ({ control }: Simulator): readonly MistakeKind[] =>
  control.clientReport().mistakes.map(({ kind }) => kind)

test.for([
  ['GET', '/api/status', {}, { status: 200, stage: 'save', operation: 'read-status', because: ['plugin.status.ok'] }],
  ['POST', '/api/rules', { body: rule }, { status: 201, operation: 'add-rule', rulesBefore: 3, rulesAfter: 4 }],
  ['POST', '/api/rules', { body: '{' }, { status: 400, stage: 'validate', because: ['plugin.errors.400'] }],
  ['GET', '/api/rules', { key: 'x' }, { status: 401, because: ['plugin.errors.401', 'plugin.auth.list-needs-key'] }],
  ['GET', '/api/none', {}, { status: 404, stage: 'route', because: ['plugin.path.unknown', 'plugin.errors.404-path'] }],
  ['DELETE', '/api/rules/9', {}, { status: 404, because: ['plugin.errors.404-index'] }],
  ['PUT', '/api/status', {}, { status: 405, because: ['plugin.method.status'] }],
] as const)('%s %s is written down with what was decided and why', async ([method, path, asked, expected]) => {
  const simulator = await started()
  await ask(simulator, method, path, asked)
  expect(simulator.control.journal.find()).toMatchObject([{ id: 1, method, target: path, ...expected }])
})

test('a full list is told from other errors of the server', async () => {
  const simulator = await started({ capacity: 3 })
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(simulator.control.journal.find({ because: 'plugin.capacity.answers-500' })).toMatchObject([{ status: 500 }])
})

test('the key stands nowhere in it', async () => {
  const simulator = await started()
  await ask(simulator, 'POST', '/api/rules?key=secret-key', { body: { ...rule, note: 'secret-key' } })
  await ask(simulator, 'GET', '/api/rules', {
    headers: { 'X-Note': `a ${Buffer.from('secret-key').toString('base64')}` },
  })
  expect(JSON.stringify(simulator.control.journal.find())).not.toMatch(/secret-key|c2VjcmV0LWtleQ/)
})

test('it keeps the newest entries, and none where none are wanted', async () => {
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

test('requests can be waited for, and followed as they come', async () => {
  const simulator = await started()
  const { journal } = simulator.control
  const followed: JournalEntry[] = []
  const end = journal.follow((entry) => followed.push(entry))
  const waiting = journal.waitFor(2, { method: 'GET', path: '/api/rules', status: 200 })
  for (const path of ['/api/rules', '/api/status', '/api/rules?x=1']) await ask(simulator, 'GET', path)
  expect((await waiting).map(({ id }) => id)).toEqual([1, 3])
  end()
  await ask(simulator, 'GET', '/api/rules')
  expect(followed).toHaveLength(3)
  await expect(journal.waitFor(9, {}, 20)).rejects.toThrow('4 of 9 requests came within 20 ms')
})

test('what is no HTTP is written down too', async () => {
  const simulator = await started()
  await ask(simulator, 'GET', '/api/rules', { headers: { 'X-Long': 'x'.repeat(40_000) } })
  expect(simulator.control.journal.find()).toMatchObject([
    { method: '', stage: null, decision: expect.stringContaining('no HTTP') },
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

test('a removal by an index from before another change is a mistake, and worse where it hits another rule', async () => {
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

test('a removal without any list is a mistake', async () => {
  const simulator = await started()
  await ask(simulator, 'DELETE', '/api/rules/0')
  expect(kinds(simulator)).toEqual(['stale-index'])
})

test('a write that is sent again without a look is a mistake, after a look it is none', async () => {
  const simulator = await started()
  simulator.control.faults.add({ effect: { kind: 'lose-answer' }, when: { method: 'POST' }, times: 2 })
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  await ask(simulator, 'GET', '/api/rules')
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(kinds(simulator)).toEqual([])
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  expect(kinds(simulator)).toEqual(['retried-unread'])
})

test('a body without its type, a key in the URL and a key that is tried again are mistakes', async () => {
  const simulator = await started()
  await ask(simulator, 'POST', '/api/rules', { body: rule, headers: { 'Content-Type': '' } })
  await ask(simulator, 'GET', '/api/rules?key=secret-key')
  for (let turn = 0; turn < 3; turn++) await ask(simulator, 'GET', '/api/status', { key: 'wrong' })
  expect(kinds(simulator)).toEqual(['no-json-content-type', 'key-in-url', 'key-refused-again'])
})

test('it is told what a client has met of the specification, and what it never saw', async () => {
  const simulator = await started({ capacity: 4 })
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  await ask(simulator, 'POST', '/api/rules', { body: rule })
  await ask(simulator, 'DELETE', '/api/rules/0')
  const { coverage } = simulator.control.clientReport()
  const met = coverage.filter(({ times }) => times > 0).map(({ id }) => id)
  expect(met).toEqual(['added', 'alias', 'reverse', 'removed', 'shift', 'capacity'])
  expect(coverage.find(({ id }) => id === 'unauthorized')).toMatchObject({ times: 0, firstEntry: null })
})
