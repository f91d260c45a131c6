import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  createSimulator,
  memoryRulesFile,
  type Profile,
  type Simulator,
  type SimulatorOptions,
} from '../../../simulator/index.ts'
import { ErrorResponse } from '../../../simulator/server/response.ts'
import { NoResponse } from '../../client/response.ts'
import { directTransport } from '../../client/transport.ts'
import { type Pace, unpaced } from '../../client/wait.ts'
import { contentOf, describeRule, type Rule } from '../../model/rule.ts'
import { openLedger, readLedger } from '../../safety/ledger.ts'
import { ConcurrentEdit } from '../../safety/list-change-errors.ts'
import { ownByRecord } from '../../safety/ownership.ts'
import { defaultLogins } from '../../session/logins.ts'
import { createLiveDriver } from './live-driver.ts'
import { createLiveServer } from './live-server.ts'
import { asBefore, type LifecycleOperator, type Parameters, type Person, parametersFor, type StepName } from './step.ts'

const key = 'the-live-key'
const temporaryKey = 'the-key-of-the-kit'
const copy = { Copy_1: '1001>2001,mult,1,same', Copy_2: '1002>2002,mult,1,same', Copy_3: '1003>2003,mult,1,same' }
const before: Parameters = { API_Key: key, ...copy, Licence: 'of nobody else' }

interface Setting {
  readonly profile?: Partial<Profile>
  readonly parameters?: Parameters
  /** Steps whose hooks have no effect. */
  readonly ignoredSteps?: readonly StepName[]
  readonly can?: readonly StepName[]
  /** Called after each response. */
  readonly log?: () => void
  readonly override?: NonNullable<SimulatorOptions['override']>
  readonly pace?: Pace
}

/** A simulator that hooks in this process restart. */
async function live({ parameters = before, ignoredSteps = [], can = usual, pace = unpaced, ...options }: Setting = {}) {
  const rulesFile = memoryRulesFile()
  const state = { parameters, down: false }
  const done: StepName[] = []
  let simulator: Simulator = createSimulator({ port: 0, parameters, rulesFile, ...options })
  await simulator.start()
  const { port, url } = simulator
  onTestFinished(() => simulator.stop())
  const steps: Record<StepName, (wanted: Parameters) => Promise<unknown>> = {
    stop: () => simulator.stop(),
    async start() {
      simulator = createSimulator({
        port,
        parameters: { ...state.parameters, API_Port: String(port) },
        rulesFile,
        ...options,
      })
      await simulator.start()
    },
    async restart(wanted) {
      await steps.stop(wanted)
      await steps.start(wanted)
    },
    async 'set-parameters'(wanted) {
      state.parameters = wanted
    },
    'delete-rules-file': () => rulesFile.remove(),
  }
  const hooks: LifecycleOperator = {
    can: (step) => can.includes(step),
    async carryOut(names, desired) {
      for (const name of names) {
        done.push(name)
        if (!ignoredSteps.includes(name)) await steps[name](parametersFor(desired, parameters))
      }
    },
  }
  const folder = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'ledger.jsonl')
  const ledger = openLedger(file, (text) => text)
  const list = async (): Promise<readonly Rule[]> => {
    const answer = await fetch(`${url}/api/rules`, { headers: { 'X-API-Key': key, Connection: 'close' } })
    return ((await answer.json()) as { rules: Rule[] }).rules
  }
  const send = (method: string, path: string, body?: unknown, otherKey = key) =>
    fetch(`${url}/api/rules${path}`, {
      method,
      headers: { 'X-API-Key': otherKey, Connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const found = await list()
  const common = {
    url,
    transport: directTransport,
    pace,
    key,
    logins: defaultLogins,
    ledger,
    timeoutMs: 2_000,
    readyMs: 500,
    briefMs: 100,
  }
  const open = (person: Person | null = null) => {
    const server = createLiveServer(
      { ...common, hooks, person, redact: (text) => text },
      {
        desired: asBefore,
        keys: [key],
        running: true,
        answering: true,
        configured: false,
        order: found.map(contentOf),
        seen: found,
        removed: [],
      },
    )
    return createLiveDriver(server, temporaryKey)
  }
  ledger.append({
    event: 'open',
    schema: 'copytrade-tck/ledger@1',
    target: url,
    startedAt: '',
    logins: defaultLogins,
    before: found,
  })
  ledger.append({ event: 'lend', hooks: {}, manual: false, parameters: null, order: found.map(contentOf) })
  return { url, open, list, send, found, done, state, steps, ledgerFile: file, leased: () => readLedger(file)?.leased }
}

const usual: readonly StepName[] = ['stop', 'start', 'set-parameters', 'delete-rules-file']
const fresh = {
  parameters: { API_Key: temporaryKey },
  port: 'given',
  capacity: null,
  list: 'fresh',
} as const
const shared = { parameters: { API_Key: key }, port: 'given', capacity: null, list: 'any' } as const

async function listWith(url: string, otherKey: string): Promise<unknown> {
  return (await fetch(`${url}/api/rules`, { headers: { 'X-API-Key': otherKey, Connection: 'close' } })).json()
}

test.for([{ 'plugin.add.position': 'end' }, { 'plugin.add.position': 'start' }] as const)(
  'a leased server is empty, rejects other clients, and is restored with its order: %o',
  async (profile) => {
    const { open, url, list, found, state, leased } = await live({ profile })
    const driver = open()
    const prepared = await driver.prepare(fresh)
    expect(await driver.start(prepared.id, 'ready')).toBe(true)
    expect(await listWith(url, temporaryKey)).toMatchObject({ total: 0 })
    expect(await listWith(url, key)).toHaveProperty('error')
    expect(leased()?.removed).toHaveLength(3)
    expect(await driver.restoreServer()).toMatchObject({ lost: [], reordered: false })
    expect(await list()).toEqual(found)
    expect(state.parameters).toEqual(before)
    expect(leased()).toBeNull()
  },
)

test('rules that are loaded from one parameter again after an earlier check were not in the deleted file', async () => {
  const { open, url } = await live()
  const driver = open()
  const Copy_1 = '900000001>900000002,900000003,multiplier,1.0,same'
  for (let count = 0; count < 2; count += 1) {
    await driver.prepare({ ...fresh, parameters: { ...fresh.parameters, Copy_1 } })
    expect(await driver.start('live', 'ready')).toBe(true)
    expect(await listWith(url, temporaryKey)).toMatchObject({ total: 2 })
    await driver.discard('live')
  }
})

test('a leased server is restored even if its ledger was removed', async () => {
  const { open, list, found, ledgerFile } = await live()
  const driver = open()
  await driver.prepare(fresh)
  expect(await driver.start('live', 'ready')).toBe(true)
  rmSync(ledgerFile)
  expect(await driver.restoreServer()).toMatchObject({ lost: [] })
  expect(await list()).toEqual(found)
})

test('a rule that was loaded from a parameter, and that the server does not remove, is known as one of the kit', async () => {
  const { open, list, ledgerFile } = await live({
    override: () => ({
      removeRule() {
        throw new ErrorResponse(500, 'Removals are not possible.')
      },
    }),
  })
  const driver = open()
  const Copy_1 = '900000001>900000002,mult,1,same'
  await driver.prepare({ ...fresh, parameters: { ...fresh.parameters, Copy_1 } })
  expect(await driver.start('live', 'ready')).toBe(true)
  await driver.restoreServer()
  const left = (await list()).find(({ master }) => master === 900_000_001)
  expect(left && ownByRecord(readLedger(ledgerFile))(left)).toBe(true)
})

test.for(['POST /api/rules', 'DELETE /api/rules/0'])(
  'without a response to %s the list of a leased server is emptied by its file',
  async (request) => {
    let file = ''
    const pace = async () => {
      const [last = ''] = file === '' ? [] : readFileSync(file, 'utf8').trimEnd().split('\n').slice(-1)
      if (last.includes(request)) throw new NoResponse('no response', {} as never)
    }
    const { open, url, list, found, ledgerFile } = await live({ pace })
    file = ledgerFile
    const driver = open()
    for (const settings of [fresh, { ...fresh, list: 'empty' } as const]) {
      await driver.prepare(settings)
      expect(await driver.start('live', 'ready')).toBe(true)
      expect(await listWith(url, temporaryKey)).toMatchObject({ total: 0 })
      const body = JSON.stringify({ ...contentOf(found[0] as Rule), master: defaultLogins.from })
      await fetch(`${url}/api/rules`, { method: 'POST', headers: { 'X-API-Key': temporaryKey }, body })
      await driver.discard('live')
    }
    expect(await driver.restoreServer()).toMatchObject({ lost: [], reordered: false })
    expect(await list()).toEqual(found)
  },
)

/** Answers every fourth request with 429. */
const limited: SimulatorOptions['override'] = ({ acceptsCredentials }) => {
  let requests = 0
  return {
    acceptsCredentials(given, isRight) {
      requests += 1
      if (requests % 4 === 0) throw new ErrorResponse(429, 'Too many requests.', { 'Retry-After': '0' })
      return acceptsCredentials(given, isRight)
    },
  }
}

test.for([{ 'plugin.add.position': 'end' }, { 'plugin.add.position': 'start' }] as const)(
  'a leased server that limits the rate of requests is restored with its order: %o',
  async (profile) => {
    const { open, list, found, state } = await live({ profile, override: limited })
    const driver = open()
    await driver.prepare(fresh)
    expect(await driver.start('live', 'ready')).toBe(true)
    expect(await driver.restoreServer()).toMatchObject({ lost: [], reordered: false })
    expect(await list().catch(list)).toEqual(found)
    expect(state.parameters).toEqual(before)
  },
)

test('no request to a leased server, and no request of a held connection, is sent faster than the pace', async () => {
  let turns = 0
  let responses = 0
  const { open } = await live({
    can: ['restart', 'set-parameters', 'delete-rules-file'],
    ignoredSteps: ['restart'],
    pace: async () => {
      turns += 1
    },
    log: () => (responses += 1),
  })
  responses = 0
  const driver = open()
  await driver.prepare(fresh)
  await expect(driver.start('live', 'ready')).rejects.toThrow('still serves requests')
  expect(responses).toBeGreaterThanOrEqual(3)
  expect(turns).toBe(responses)
})

test('a new order by another client before the next steps is kept', async () => {
  const { open, list, send, found, leased } = await live()
  const driver = open()
  const [first] = found
  if (first === undefined) throw new Error('it has rules')
  await driver.prepare(shared)
  await driver.start('live', 'ready')
  await send('DELETE', `/${first.index}`)
  await send('POST', '', contentOf(first))
  const moved = await list()
  await driver.discard('live')
  await driver.prepare(fresh)
  await driver.start('live', 'ready')
  expect(leased()?.order).toEqual(moved.map(contentOf))
  expect(await driver.restoreServer()).toMatchObject({ lost: [], reordered: false })
  expect(await list()).toEqual(moved)
})

test('a new order by another client while the rules of the kit are removed is kept', async () => {
  let responses = Number.NEGATIVE_INFINITY
  let moving: Promise<unknown> = Promise.resolve()
  const { open, list, send, found } = await live({
    log: () => {
      responses += 1
      // The key and the order are known. The kit waits until the list stays unchanged.
      if (responses === 3) moving = send('DELETE', '/0').then(() => send('POST', '', contentOf(first)))
    },
  })
  const first = found[0] as Rule
  const driver = open()
  await driver.prepare(shared)
  await driver.start('live', 'ready')
  await driver.stop('live')
  await driver.start('live', 'ready')
  await send('POST', '', { ...contentOf(first), master: defaultLogins.from, follower: defaultLogins.to })
  responses = 0
  expect(await driver.restoreServer()).toMatchObject({ lost: [], reordered: false })
  await moving
  expect((await list()).map(contentOf)).toEqual([...found.slice(1), first].map(contentOf))
})

test('a rule that another client removes right after the last restart is possibly lost, and not added again', async () => {
  const { open, list, send, found, state, steps, ledgerFile, leased } = await live()
  const driver = open()
  await driver.prepare(fresh)
  await driver.start('live', 'ready')
  const { start } = steps
  steps.start = async (...given) => {
    await start(...given)
    if (state.parameters.API_Key === key) await send('DELETE', `/${found[0]?.index}`)
  }
  expect((await driver.restoreServer())?.lost).toHaveLength(1)
  expect((await list()).map(contentOf)).toEqual(found.slice(1).map(contentOf))
  expect(readLedger(ledgerFile)?.possiblyLost).toHaveLength(1)
  expect(leased()).toBeNull()
})

test('a rule that another client removes during a restart is possibly lost, and not added again', async () => {
  const { open, list, send, found, steps, ledgerFile } = await live()
  const driver = open()
  await driver.prepare(shared)
  await driver.start('live', 'ready')
  const { start } = steps
  steps.start = async (...given) => {
    await start(...given)
    steps.start = start
    await send('DELETE', `/${found[0]?.index}`)
  }
  await driver.stop('live')
  await driver.start('live', 'ready')
  await driver.restoreServer()
  expect((await list()).map(contentOf)).toEqual(found.slice(1).map(contentOf))
  expect(readLedger(ledgerFile)?.possiblyLost).toHaveLength(1)
})

/** The next start of the server removes these rules, and lists these others. */
function changesAtNextStart({ steps, state, send }: Awaited<ReturnType<typeof live>>, gone: number, added: unknown) {
  const { start } = steps
  steps.start = async (...given) => {
    await start(...given)
    steps.start = start
    const otherKey = state.parameters.API_Key
    for (let rule = 0; rule < gone; rule += 1) await send('DELETE', '/0', undefined, otherKey)
    await send('POST', '', added, otherKey)
  }
}

const contents = (rules: readonly Rule[]) => rules.map((rule) => describeRule(contentOf(rule))).toSorted()

test('a rule that the server changes at a start is possibly lost, and not added again next to the changed one', async () => {
  const server = await live()
  const [first, ...others] = server.found.map(contentOf)
  const changed = { ...first, direction: 'reverse' }
  changesAtNextStart(server, 1, changed)
  const driver = server.open()
  await driver.prepare(fresh)
  await driver.start('live', 'ready')
  await driver.restoreServer()
  expect(contents(await server.list())).toEqual(
    [...others, changed].map((rule) => describeRule(rule as Rule)).toSorted(),
  )
  expect(readLedger(server.ledgerFile)?.possiblyLost).toEqual([first])
})

test('a list that is lost as a whole is added again, except a rule that the server has changed', async () => {
  const server = await live()
  const [first, ...others] = server.found.map(contentOf)
  const changed = { ...first, value: 9 }
  changesAtNextStart(server, 3, changed)
  const driver = server.open()
  await driver.prepare(shared)
  await driver.start('live', 'ready')
  await driver.stop('live')
  await driver.start('live', 'ready')
  await driver.restoreServer()
  expect(contents(await server.list())).toEqual(
    [...others, changed].map((rule) => describeRule(rule as Rule)).toSorted(),
  )
})

test('before anything is deleted, a new key proves that the hooks restart and set parameters', async () => {
  const { open, done } = await live()
  const driver = open()
  await driver.prepare(fresh)
  await driver.start('live', 'ready')
  expect(done.slice(0, 3)).toEqual(['stop', 'set-parameters', 'start'])
  expect(done.indexOf('delete-rules-file')).toBeGreaterThan(3)
})

test('a list that the kit can empty rule by rule needs no further restart', async () => {
  const { open, done } = await live()
  const driver = open()
  for (let check = 0; check < 3; check += 1) {
    await driver.prepare({ ...fresh, list: 'empty' })
    await driver.start('live', 'ready')
    await driver.discard('live')
  }
  expect(done.filter((step) => step === 'start')).toHaveLength(2)
})

test.for([
  [['stop'], usual, '`--hook-stop` exited with code 0, but the server still answers'],
  [
    ['restart'],
    ['restart', 'set-parameters', 'delete-rules-file'],
    'a connection opened before the restart still serves requests',
  ],
  [['set-parameters'], usual, 'does not accept the new `API_Key`'],
  [['delete-rules-file'], usual, 'either the file was not deleted, or the server wrote it back'],
] as const)(
  'a hook for %o without effect is detected, and no foreign rule is lost',
  async ([ignoredSteps, can, message]) => {
    const { open, list, found } = await live({ ignoredSteps, can })
    const driver = open()
    await driver.prepare(fresh)
    await expect(driver.start('live', 'ready')).rejects.toThrow(message)
    await driver.restoreServer().catch(() => null)
    expect(await list()).toEqual(found)
  },
)

test('an empty list gets a rule of the kit, to detect whether the file was deleted', async () => {
  const { open, list } = await live({ parameters: { API_Key: key }, ignoredSteps: ['delete-rules-file'] })
  const driver = open()
  await driver.prepare(fresh)
  await expect(driver.start('live', 'ready')).rejects.toThrow('either the file was not deleted')
  await driver.restoreServer()
  expect(await list()).toEqual([])
})

test('a concurrent edit before a restart prevents it, and is kept', async () => {
  const { open, send, list, found } = await live()
  const driver = open()
  await send('POST', '', { master: 5, follower: 6, mode: 'mult', value: 1, direction: 'same' })
  await send('DELETE', '/0')
  await driver.prepare(fresh)
  await expect(driver.start('live', 'ready')).rejects.toThrow(ConcurrentEdit)
  expect(await driver.restoreServer()).toBeNull()
  expect((await list()).map(({ master }) => master)).toEqual([found[1]?.master, found[2]?.master, 5])
})

test('a rule that another client removes while the kit only restarts the server is not added again', async () => {
  const { open, send, list, found } = await live({ can: ['restart'] })
  const driver = open()
  await driver.prepare(shared)
  await driver.start('live', 'ready')
  await driver.stop('live')
  await driver.start('live', 'ready')
  await send('DELETE', '/1')
  await driver.restoreServer()
  expect((await list()).map(({ master }) => master)).toEqual([found[0]?.master, found[2]?.master])
})

test('a check that only needs a restart changes no key, parameter or foreign rule', async () => {
  const { open, list, found, done } = await live({ can: ['restart'] })
  const driver = open()
  await driver.prepare(shared)
  await driver.start('live', 'ready')
  expect(done).toEqual([])
  await driver.stop('live')
  await driver.start('live', 'ready')
  expect(done).toEqual(['restart'])
  expect(await list()).toEqual(found)
})

test('a person is asked for all steps at once, and again if they had no effect', async () => {
  const { open, steps, list, found, state } = await live({ can: [] })
  const asked: string[] = []
  let lazy = true
  const person: Person = {
    can: (step) => step !== 'stop' && step !== 'start',
    async carryOut(names, desired) {
      asked.push(names.join())
      if (lazy) return
      for (const name of names) await steps[name](parametersFor(desired, before))
    },
    async askAgain(problem) {
      asked.push(problem)
      lazy = false
      await steps['set-parameters'](
        parametersFor({ apiKey: { value: 'the-key-of-the-kit' }, copy: 'as-before' }, before),
      )
      await steps.restart(before)
      return 'verify'
    },
  }
  const driver = open(person)
  await driver.prepare(fresh)
  expect(await driver.start('live', 'ready')).toBe(true)
  await driver.restoreServer()
  expect(asked).toEqual([
    'set-parameters,restart',
    expect.stringContaining('the server was not restarted'),
    'set-parameters,delete-rules-file,restart',
    'set-parameters,restart',
  ])
  expect(await list()).toEqual(found)
  expect(state.parameters).toEqual(before)
})

test('the ledger shows which rules a killed run had removed', async () => {
  const { open, leased, found, ledgerFile } = await live()
  const driver = open()
  await driver.prepare(fresh)
  await driver.start('live', 'ready')
  expect(leased()).toMatchObject({ configured: true, order: found.map(contentOf) })
  expect(leased()?.removed.map(describeRule)).toEqual(found.map((rule) => describeRule(contentOf(rule))))
  expect(readFileSync(ledgerFile, 'utf8')).toMatch(/"event":"steps".*\n.*"event":"held"/)
})

test('the rules file of a running server is deleted before the next request, not before the next start', async () => {
  const { open, done, send, url } = await live()
  const driver = open()
  const prepared = await driver.prepare(fresh)
  await driver.start(prepared.id, 'ready')
  done.length = 0
  await driver.deleteRulesFile(prepared.id)
  expect(done).toEqual(['delete-rules-file'])
  await send(
    'POST',
    '',
    { master: 900_000_001, follower: 900_000_002, mode: 'mult', value: 1, direction: 'same' },
    temporaryKey,
  )
  await driver.stop(prepared.id)
  await driver.start(prepared.id, 'ready')
  expect(done).toEqual(['delete-rules-file', 'stop', 'start'])
  expect(await listWith(url, temporaryKey)).toMatchObject({ rules: [{ master: 900_000_001, follower: 900_000_002 }] })
})
