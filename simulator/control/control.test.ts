import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSimulator, type Simulator, type SimulatorOptions } from '../index.ts'

const parameters = { API_Key: 'secret-key', Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1001>2002,fixed,0.01,reverse' }
const rule = { master: 5, follower: 6, mode: 'mult', value: 2, direction: 'same' } as const

async function started(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = createSimulator({ port: 0, parameters, ...options })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  return simulator
}

function ask(simulator: Simulator, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${simulator.url}/api/${path}`, {
    method,
    headers: { 'X-API-Key': 'secret-key', 'Content-Type': 'application/json', 'Connection': 'close' },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const followers = ({ control }: Simulator) => control.rules().map(({ follower }) => Number(follower))

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'copytrade-tck-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('replaced rules are listed, also after a restart', async () => {
  const simulator = await started({ dataDir: folder() })
  await simulator.control.replaceRules([rule, { ...rule, follower: 2n ** 64n - 1n }])
  expect(await (await ask(simulator, 'GET', 'rules')).json()).toMatchObject({ total: 2, rules: [{ follower: 6 }, {}] })
  await simulator.control.restart()
  expect(simulator.control.rules().map(({ follower }) => follower)).toEqual([6n, 2n ** 64n - 1n])
})

test.for([
  { ...rule, value: 0 },
  { ...rule, mode: 'multiplier' as 'mult' },
  { ...rule, master: 1.5 },
  { ...rule, follower: 2 ** 60 },
])('an invalid rule is rejected: %j', async (wrong) => {
  const { control } = await started()
  await expect(control.replaceRules([wrong])).rejects.toThrow(/not a valid (rule|login)/)
  expect(control.rules()).toHaveLength(2)
})

test.for([
  [{}, [{ ...rule, master: -5 }], 'Rule 1 of 1'],
  [{}, [rule, { ...rule, follower: 0 }], 'Rule 2 of 2'],
  [{}, [{ ...rule, master: 10n ** 26n - 1n }], 'Rule 1 of 1'],
  [{ 'plugin.value.largest': 'refused' }, [{ ...rule, value: 1e15 }], 'Rule 1 of 1'],
  [{ 'plugin.add.duplicate': 'refused' }, [rule, rule], 'Rule 2 of 2'],
  [{ 'plugin.add.self-copy': 'refused' }, [{ ...rule, follower: 5 }], 'Rule 1 of 1'],
] as const)('a rule that clients cannot add under the profile %j is rejected', async ([profile, rules, says]) => {
  const { control } = await started({ profile })
  await expect(control.replaceRules(rules)).rejects.toMatchObject({
    name: 'InvalidRuleError',
    message: expect.stringContaining(says),
  })
  expect(control.rules()).toHaveLength(2)
})

test('rules set through the control API are validated like those of clients', async () => {
  const { control } = await started({ profile: { 'plugin.login.zero': 'accepted' } })
  await control.replaceRules([{ ...rule, master: 2n ** 53n + 1n, follower: 0 }])
  expect(control.rules()).toMatchObject([{ master: 2n ** 53n + 1n, follower: 0n }])
})

test('license and capacity can change while the plugin runs', async () => {
  const simulator = await started()
  simulator.control.setLicenseActive(false)
  simulator.control.setCapacity(2)
  expect(await (await ask(simulator, 'GET', 'status')).json()).toMatchObject({ license_active: false })
  expect((await ask(simulator, 'POST', 'rules', rule)).status).toBe(500)
  expect(() => simulator.control.setCapacity(-1)).toThrow('capacity')
})

test('a restart without the rules file loads the parameters again', async () => {
  const simulator = await started({ dataDir: folder() })
  await ask(simulator, 'POST', 'rules', rule)
  await simulator.control.restart()
  expect(followers(simulator)).toEqual([2001, 2002, 6])
  await simulator.control.restart({ deleteRulesFile: true })
  expect(followers(simulator)).toEqual([2001, 2002])
})

test('a crashed plugin can be started again, with or without its file', async () => {
  const simulator = await started({ dataDir: folder() })
  await ask(simulator, 'POST', 'rules', rule)
  await simulator.control.crash()
  expect(simulator.running).toBe(false)
  await simulator.control.restart()
  expect(followers(simulator)).toEqual([2001, 2002, 6])
  await simulator.control.crash({ deleteRulesFile: true })
  await simulator.control.restart()
  expect(followers(simulator)).toEqual([2001, 2002])
})

test('reset restores the first state after any change, and clears journal and faults', async () => {
  const simulator = await started({ dataDir: folder(), capacity: 5 })
  const { control } = simulator
  await ask(simulator, 'DELETE', 'rules/0')
  control.setCapacity(9)
  control.setLicenseActive(false)
  control.clock.freeze(new Date('2026-01-01'))
  control.faults.add({ effect: { kind: 'reset' } })
  await control.reset()
  expect(followers(simulator)).toEqual([2001, 2002])
  expect([control.capacity(), control.licenseActive(), control.clock.isFrozen()]).toEqual([5, true, false])
  expect([control.faults.list(), control.journal.count()]).toEqual([[], 0])
  expect(await simulator.rulesFile.exists()).toBe(false)
  expect((await ask(simulator, 'GET', 'rules')).status).toBe(200)
})

test('reset restarts a crashed plugin and restores the previous key', async () => {
  const simulator = await started()
  await simulator.control.restart({ parameters: { API_Key: 'another' } })
  expect((await ask(simulator, 'GET', 'rules')).status).toBe(401)
  await simulator.control.crash()
  await simulator.control.reset()
  expect((await ask(simulator, 'GET', 'rules')).status).toBe(200)
  expect(followers(simulator)).toEqual([2001, 2002])
})

test('a simulator without a port still has none after a crash and a reset', async () => {
  const simulator = createSimulator({ port: 0, parameters })
  const { control } = simulator
  await control.snapshot('first')
  await control.crash()
  await control.reset()
  expect(followers(simulator)).toEqual([2001, 2002])
  expect(() => simulator.port).toThrow('has no open port')
})

test('a snapshot stores rules, file and parameters under a name', async () => {
  const simulator = await started({ dataDir: folder() })
  const { control } = simulator
  await control.snapshot('two rules')
  await ask(simulator, 'POST', 'rules', rule)
  await control.snapshot('three rules')
  await control.restore('two rules')
  expect(followers(simulator)).toEqual([2001, 2002])
  expect(await simulator.rulesFile.exists()).toBe(false)
  await control.restore('three rules')
  await control.restart()
  expect(followers(simulator)).toEqual([2001, 2002, 6])
  await expect(control.restore('none')).rejects.toMatchObject({ hint: expect.stringContaining('two rules') })
})

test.for(['crash', 'stop'] as const)(
  'a snapshot after a %s has the rules that a start loads from its file',
  async (how) => {
    const simulator = await started({ dataDir: folder() })
    const { control } = simulator
    await ask(simulator, 'POST', 'rules', rule)
    await simulator[how]()
    await control.snapshot('three rules')
    await control.restore('three rules')
    expect(followers(simulator)).toEqual([2001, 2002, 6])
    await control.replaceRules([])
    await control.restore('three rules')
    expect(followers(simulator)).toEqual([2001, 2002, 6])
    expect((await ask(simulator, 'POST', 'rules', { ...rule, follower: 7 })).status).toBe(201)
    await control.restart()
    expect(followers(simulator)).toEqual([2001, 2002, 6, 7])
  },
)

test('a snapshot taken after a crash without a file holds the rules of the parameters', async () => {
  const simulator = await started({ profile: { 'plugin.start.copy-saved': 'yes' }, dataDir: folder() })
  const { control } = simulator
  await control.crash({ deleteRulesFile: true })
  await control.snapshot('no file')
  await control.restart({ parameters: { API_Key: 'secret-key' } })
  await control.restore('no file')
  expect(followers(simulator)).toEqual([2001, 2002])
  expect(await simulator.rulesFile.exists()).toBe(true)
})

test('the clock can be frozen and advanced', async () => {
  const { control } = createSimulator({ port: 0, parameters })
  control.clock.freeze(new Date('2026-11-21T00:00:00Z'))
  control.clock.advance(90_000)
  expect(new Date(control.clock.now()).toISOString()).toBe('2026-11-21T00:01:30.000Z')
  control.clock.reset()
  expect(Math.abs(control.clock.now() - Date.now())).toBeLessThan(1_000)
})

test('a clock cannot be set to an invalid date', () => {
  const { control } = createSimulator()
  expect(() => control.clock.freeze(new Date('nonsense'))).toThrow('valid Date')
  expect(() => control.clock.advance(Number.NaN)).toThrow('valid Date')
  expect(control.clock.isFrozen()).toBe(false)
})

test('a snapshot taken during a write holds the file that matches its rules', async () => {
  const simulator = await started({ dataDir: folder() })
  await ask(simulator, 'POST', 'rules', rule)
  const writes = [7, 8, 9].map((follower) => ask(simulator, 'POST', 'rules', { ...rule, follower }))
  await simulator.control.snapshot('in between')
  await Promise.all(writes)
  await simulator.control.restore('in between')
  const restored = followers(simulator)
  await simulator.control.restart()
  expect(followers(simulator)).toEqual(restored)
})

test('a subscriber is notified of changes that are not requests', async () => {
  const simulator = await started()
  const { control } = simulator
  let told = 0
  const end = control.subscribe(() => {
    told++
  })
  const changes: (() => unknown)[] = [
    () => control.setCapacity(1),
    () => control.replaceRules([rule]),
    () => control.faults.add({ effect: { kind: 'hang' } }),
    () => control.crash(),
    () => control.restart(),
    () => control.reset(),
  ]
  for (const change of changes) {
    const before = told
    await change()
    expect(told).toBeGreaterThan(before)
  }
  end()
  const before = told
  control.setCapacity(3)
  expect(told).toBe(before)
})
