import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type Fault, type Simulator, type SimulatorOptions } from '../../index.ts'

const parameters = { API_Key: 'k', Copy_1: '1001>2001,mult,1.5,same' }
const rule = { master: 5, follower: 6, mode: 'mult', value: 2, direction: 'same' }

async function faulty(fault: Fault, options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = createSimulator({ port: 0, parameters, ...options })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  simulator.control.faults.add(fault)
  return simulator
}

const headers = { 'X-API-Key': 'k', 'Content-Type': 'application/json', 'Connection': 'close' }

async function status(simulator: Simulator, method = 'GET', body?: object): Promise<number | string> {
  try {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const answer = await fetch(`${simulator.url}/api/rules`, init)
    await answer.arrayBuffer()
    return answer.status
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
    return code ?? message
  }
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('an answer takes the place of that of the plugin, which does nothing', async () => {
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

test('method, path and members of the body choose the requests', async () => {
  const when = { method: 'post', path: '/api/*', body: { master: 5 } }
  const simulator = await faulty({ when, effect: { kind: 'answer', status: 418 } })
  expect(await status(simulator)).toBe(200)
  expect(await status(simulator, 'POST', { ...rule, master: 7 })).toBe(201)
  expect(await status(simulator, 'POST', rule)).toBe(418)
  expect(simulator.control.faults.list()).toMatchObject([{ id: 'fault-1', matched: 1, played: 1 }])
})

test.for([
  ['2^53 + 1 in JSON', '9007199254740993', 9007199254740993n, 9007199254740992n],
  ['2^53', '9007199254740992', 2 ** 53, 2n ** 53n + 1n],
  ['a bigint that a number holds', '5', 5n, 6n],
] as const)('a login is matched with all its digits: %s', async ([, digits, master, other]) => {
  const simulator = await faulty({ when: { body: { master } }, effect: { kind: 'answer', status: 418 } })
  const add = async (login: string) => {
    const body = `{"master":${login},"follower":6,"mode":"mult","value":2,"direction":"same"}`
    return (await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers, body })).status
  }
  expect([await add(String(other)), await add(digits)]).toEqual([201, 418])
})

test('members within members are matched, and of a member that is named twice the last', async () => {
  const when = { body: { master: 5, more: { list: [2n ** 64n, 'a'], none: null } } }
  const simulator = await faulty({ when, effect: { kind: 'answer', status: 418 } })
  const ask = async (body: string) =>
    (await fetch(`${simulator.url}/api/rules`, { method: 'POST', headers, body })).status
  const more = '"more":{"none":null,"list":[18446744073709551616,"a"]}'
  expect(await ask(`{"master":4,"master":5,${more}}`)).toBe(418)
  expect(await ask(`{"master":5,"master":4,${more}}`)).not.toBe(418)
})

test('an answer has all digits of a login', async () => {
  const simulator = await faulty({ effect: { kind: 'answer', status: 200, body: { master: 2n ** 53n + 1n } } })
  const answer = await fetch(`${simulator.url}/api/rules`, { headers })
  expect(await answer.text()).toBe('{"master":9007199254740993}')
})

test('the first fault that is due wins; skip and times say when it is', async () => {
  const simulator = await faulty({ skip: 1, times: 2, effect: { kind: 'answer', status: 500 } })
  simulator.control.faults.add({ effect: { kind: 'answer', status: 503 }, times: 2 })
  const statuses: unknown[] = []
  for (let turn = 0; turn < 5; turn++) statuses.push(await status(simulator))
  expect(statuses).toEqual([503, 500, 500, 503, 200])
})

test('chance is reproduced by its seed, and another seed is another chance', async () => {
  const draw = async (seed: number) => {
    const simulator = await faulty({ probability: 0.3, seed, effect: { kind: 'answer', status: 500 } })
    const statuses: unknown[] = []
    for (let turn = 0; turn < 40; turn++) statuses.push(await status(simulator))
    return statuses
  }
  const first = await draw(7)
  expect(await draw(7)).toEqual(first)
  expect(await draw(8)).not.toEqual(first)
  const played = first.filter((one) => one === 500).length
  expect(played).toBeGreaterThan(4)
  expect(played).toBeLessThan(24)
})

test.for([
  ['reset', 'ECONNRESET'],
  ['empty', 'UND_ERR_SOCKET'],
  ['garbage', 'HPE_INVALID_CONSTANT'],
  ['truncate', 'UND_ERR_SOCKET'],
  ['bad-chunk', 'HPE_INVALID_CHUNK_SIZE'],
  ['lose-answer', 'ECONNRESET'],
] as const)('%s is seen by a client as %s', async ([kind, code]) => {
  expect(await status(await faulty({ effect: { kind }, times: 1 }))).toBe(code)
})

test('a lost answer leaves the change made; a reset connection does not', async () => {
  const losing = await faulty({ effect: { kind: 'lose-answer' } })
  await status(losing, 'POST', rule)
  expect(losing.control.rules()).toHaveLength(2)
  const resetting = await faulty({ effect: { kind: 'reset' } })
  await status(resetting, 'POST', rule)
  expect(resetting.control.rules()).toHaveLength(1)
})

test('many requests can be delayed at once without a warning of Node.js', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const simulator = await faulty({ effect: { kind: 'delay', ms: 100 } })
  expect(await Promise.all(Array.from({ length: 20 }, () => status(simulator)))).toEqual(Array(20).fill(200))
  expect(warnings).toEqual([])
})

test('a delay comes before the answer, a slow body within it', async () => {
  const simulator = await faulty({ effect: { kind: 'delay', ms: 60 }, times: 1 })
  simulator.control.faults.add({ effect: { kind: 'slow-body', msPerByte: 0 } })
  const startedAt = performance.now()
  expect(await status(simulator)).toBe(200)
  expect(performance.now() - startedAt).toBeGreaterThan(55)
  const answer = await fetch(`${simulator.url}/api/rules`, { headers })
  expect(await answer.json()).toMatchObject({ total: 1 })
  expect((await simulator.control.journal.waitFor(2)).map((entry) => entry.status)).toEqual([200, 200])
})

test('a request that hangs is left alone until the client gives up', async () => {
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

test.for(['disk-full', 'permission-denied'] as const)('%s: the client is told, and nothing changes', async (kind) => {
  const simulator = await faulty({ effect: { kind }, times: 1 }, { dataDir: folder() })
  expect(await status(simulator, 'POST', rule)).toBe(500)
  expect(simulator.control.rules()).toHaveLength(1)
  expect(await status(simulator, 'POST', rule)).toBe(201)
})

test.for(['disk-full', 'permission-denied', 'torn-write', 'crash'] as const)(
  '%s waits for a request that saves the rules',
  async (kind) => {
    const effect = kind === 'crash' ? { kind, at: 'after-rename' as const } : { kind }
    const simulator = await faulty({ effect, times: 1 }, { dataDir: folder() })
    const { faults, journal } = simulator.control
    expect([await status(simulator), await status(simulator, 'POST', { ...rule, value: 0 })]).toEqual([200, 400])
    expect(faults.list()).toMatchObject([{ matched: 0, played: 0 }])
    expect(journal.find().map(({ fault, decision }) => [fault, decision.includes('fault-1')])).toEqual([
      [null, false],
      [null, false],
    ])
    expect(await status(simulator, 'POST', rule)).not.toBe(201)
    expect(faults.list()).toMatchObject([{ matched: 1, played: 1 }])
    expect(await journal.waitFor(1, { fault: 'fault-1' })).toMatchObject([{ method: 'POST', operation: 'add-rule' }])
  },
)

test('skip and chance of a fault of the store count the writes', async () => {
  const when = { body: { master: 5 } }
  const simulator = await faulty({ when, skip: 1, effect: { kind: 'disk-full' } })
  const statuses: unknown[] = []
  for (const master of [7, 5, 5, 7]) {
    statuses.push(await status(simulator), await status(simulator, 'POST', { ...rule, master }))
  }
  expect(statuses).toEqual([200, 201, 200, 201, 200, 500, 200, 201])
  const draw = async (reads: number) => {
    const drawing = await faulty({ probability: 0.5, effect: { kind: 'disk-full' } })
    const drawn: unknown[] = []
    for (let turn = 0; turn < 12; turn++) {
      for (let read = 0; read < reads; read++) await status(drawing)
      drawn.push(await status(drawing, 'POST', rule))
    }
    return drawn
  }
  const drawn = await draw(0)
  expect(new Set(drawn)).toEqual(new Set([201, 500]))
  expect(await draw(1)).toEqual(drawn)
})

test('of one request a fault of the store has what other faults leave', async () => {
  const simulator = await faulty({ effect: { kind: 'disk-full' }, times: 1 })
  const { faults, journal } = simulator.control
  faults.add({ when: { method: 'POST' }, effect: { kind: 'lose-answer' }, times: 1 })
  faults.add({ effect: { kind: 'permission-denied' } })
  expect(await status(simulator, 'POST', rule)).toBe('ECONNRESET')
  expect(simulator.control.rules()).toHaveLength(2)
  expect([await status(simulator, 'POST', rule), await status(simulator, 'POST', rule)]).toEqual([500, 500])
  expect(journal.find().map(({ fault }) => fault)).toEqual(['fault-2', 'fault-1', 'fault-3'])
  expect(faults.list()).toMatchObject([{ played: 1 }, { played: 1 }, { matched: 1, played: 1 }])
})

test.for([
  ['before-write', 1],
  ['mid-write', 1],
  ['before-rename', 1],
  ['after-rename', 2],
] as const)('a crash at %s leaves %i rules, and no answer', async ([at, left]) => {
  const simulator = await faulty({ effect: { kind: 'crash', at } }, { dataDir: folder() })
  expect(await status(simulator, 'POST', rule)).toBeTypeOf('string')
  await expect.poll(() => simulator.running).toBe(false)
  simulator.control.faults.clear()
  await simulator.control.restart()
  expect(simulator.control.rules()).toHaveLength(left)
})

test('a torn write leaves a file that cannot be read', async () => {
  const simulator = await faulty({ effect: { kind: 'torn-write' } }, { dataDir: folder() })
  await status(simulator, 'POST', rule)
  await expect.poll(() => simulator.running).toBe(false)
  simulator.control.faults.clear()
  await simulator.control.restart()
  expect(simulator.control.rules()).toEqual([])
  expect((await simulator.rulesFile.read())?.length).toBeGreaterThan(0)
})

test('two faults cannot have one id', async () => {
  const { control } = await faulty({ id: 'one', effect: { kind: 'reset' } })
  expect(() => control.faults.add({ id: 'one', effect: { kind: 'reset' } })).toThrow(
    'A fault with the id one already exists.',
  )
  expect(() =>
    control.faults.replace([
      { id: 'a', effect: { kind: 'hang' } },
      { id: 'a', effect: { kind: 'hang' } },
    ]),
  ).toThrow()
  expect(control.faults.list().map(({ id }) => id)).toEqual(['one'])
  expect([control.faults.remove('one'), control.faults.remove('one')]).toEqual([true, false])
})

test('the path can be matched by a regular expression, in either form of a target', async () => {
  const when = { pathPattern: '^/api/rules/\\d+$' }
  const simulator = await faulty({ when, effect: { kind: 'answer', status: 418 } })
  const ask = async (path: string) => (await fetch(`${simulator.url}${path}`, { method: 'DELETE', headers })).status
  expect([await ask('/api/rules/x'), await ask('/api/rules/7?a=1'), await status(simulator)]).toEqual([404, 418, 200])
})

test.for([
  [{ effect: { kind: 'explode' } }, "effect.kind: Invalid discriminator value. Expected 'answer' | 'delay'"],
  [{ effect: { kind: 'delay' } }, 'effect.ms: Invalid input: expected number, received undefined'],
  [{ effect: { kind: 'answer', status: 99 } }, 'effect.status: Too small: expected number to be >=200'],
  [{ effect: { kind: 'answer', status: 200, headers: { 'a b': 'c' } } }, 'effect.headers.a b: Invalid key in record'],
  [{ effect: { kind: 'crash', at: 'noon' } }, 'effect.at: Invalid option: expected one of "before-write"|'],
  [{ effect: { kind: 'reset' }, probability: 2 }, 'probability: Too big: expected number to be <=1'],
  [{ effect: { kind: 'reset' }, times: 0.5 }, 'times: expected a whole number of at least 0'],
  [{ effect: { kind: 'reset' }, when: { pathPattern: '(' } }, 'when.pathPattern: expected a regular expression'],
] as const)('an invalid fault is rejected: %j', ([fault, message]) => {
  const { control } = createSimulator()
  expect(() => control.faults.add(fault as unknown as Fault)).toThrow(message)
  expect(control.faults.list()).toEqual([])
})

test.for([{ kind: 'hang' }, { kind: 'delay', ms: 60_000 }, { kind: 'slow-body', msPerByte: 60_000 }] as const)(
  'a stop and a reset do not wait for a request that a fault holds: %j',
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

test('an answer that is sent byte by byte ends when its client has gone', async () => {
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

test.for([
  [{ when: { methd: 'POST' }, effect: { kind: 'hang' } }, 'when: there is no member "methd". Did you mean "method"?'],
  [{ wen: {}, effect: { kind: 'hang' } }, 'there is no member "wen". Did you mean "when"?'],
  [{ effect: { kind: 'delay', ms: 1, tmes: 2 } }, 'effect: there is no member "tmes".'],
  [{ effect: { kind: 'hnag' } }, 'effect.kind'],
] as const)('a member that has no effect is rejected: %j', ([fault, message]) => {
  const { faults } = createSimulator().control
  expect(() => faults.add(fault as object as Fault)).toThrow(message)
})

test('a listed fault can be added again', () => {
  const { faults } = createSimulator().control
  faults.replace([faults.add({ effect: { kind: 'hang' } })])
  expect(faults.list()).toMatchObject([{ id: 'fault-1', matched: 0 }])
})
