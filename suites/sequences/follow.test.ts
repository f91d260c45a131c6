import { describe, expect, onTestFinished, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import { FailedExpectation } from '../assertions/failure.ts'
import { clientFor } from '../client/client.test-data.ts'
import { ConcurrentEdit } from '../safety/list-change-errors.ts'
import { createDrafts, defaultLogins } from '../session/logins.ts'
import { createPlugin } from '../session/plugin.ts'
import { createRules } from '../session/rules.ts'
import { listScenarios, restartScenarios, type Subject } from './commands.ts'
import { type Chosen, expectSequences, mostWritesOf } from './follow.ts'

const key = 'k'
const drawn: Chosen = { scenarios: [], drawn: 4, seed: 7 }

/** A simulator with a foreign rule, and the number of writes that it received. */
async function subject(options: SimulatorOptions = {}) {
  const parameters = { API_Key: key, Copy_1: '1001>2001,mult,1.5,same' }
  const simulator = createSimulator({ port: 0, parameters, ...options })
  await simulator.start()
  onTestFinished(() => simulator.stop())
  const client = clientFor(simulator.url)
  let writes = 0
  const plugin = createPlugin((request) => {
    if (request.method !== 'GET') writes += 1
    return client(request)
  }, key)
  const rules = createRules({ plugin, draft: createDrafts(defaultLogins, 7) })
  const followed: Subject = { plugin, rules, restart: null, startFresh: null, alone: false }
  return { simulator, followed, writes: () => writes }
}

function overrideOf(id: string) {
  const override = pluginDefects.find((defect) => defect.id === id)?.override
  if (override === undefined) throw new Error(`there is no defect ${id}`)
  return { override }
}

async function failureOf(followed: Subject, chosen = drawn): Promise<FailedExpectation> {
  const error = await expectSequences(followed, chosen).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof FailedExpectation) return error
  throw new Error('no sequence failed', { cause: error })
}

describe.for([
  { what: 'that counts from 0 and adds at the end', profile: {} },
  {
    what: 'that counts from 1 and adds at the start',
    profile: { 'plugin.index.base': '1', 'plugin.add.position': 'start' },
  },
] as const)('a server $what', ({ profile }) => {
  test('a sequence is compared with the model, and no rule of the kit is left', async () => {
    const { simulator, followed, writes } = await subject({ profile })
    const before = simulator.rules
    await expectSequences(followed, { scenarios: [], drawn: 12, seed: 1 })
    expect(simulator.rules).toEqual(before)
    expect(writes()).toBeGreaterThan(30)
    expect(writes()).toBeLessThanOrEqual(mostWritesOf({ scenarios: [], drawn: 12 }))
  })
})

test.for([
  { defect: 'sequence.positions-from-last-read', place: 1 },
  { defect: 'sequence.new-rule-keeps-removed-value', place: 2 },
  { defect: 'sequence.delete-after-rejection-does-nothing', place: 3 },
])('$defect is found with every seed, by fixed sequence $place', async (broken) => {
  const { followed, writes } = await subject(overrideOf(broken.defect))
  const chosen = { scenarios: listScenarios, drawn: 0, seed: 7 }
  const { message, steps } = await failureOf(followed, chosen)
  expect(writes()).toBeLessThanOrEqual(mostWritesOf(chosen))
  expect(steps[0]).toBe(`sequence ${broken.place} of those that every run begins with`)
  expect(message).not.toContain('--seed')
})

test('a failure that needs no restart is shown without one', async () => {
  const { followed } = await subject({
    override: ({ removeRule }) => ({
      removeRule: (rules, position) => removeRule(rules, rules.length === 2 ? 0 : position),
    }),
  })
  let restarts = 0
  const restart = async () => {
    restarts += 1
  }
  const { message, steps } = await failureOf(
    { ...followed, restart },
    { scenarios: restartScenarios, drawn: 0, seed: 7 },
  )
  expect(message).toMatch(/^After POST, DELETE: /)
  expect(steps.filter((step) => typeof step === 'string')).toHaveLength(1)
  expect(restarts).toBeGreaterThan(0)
})

test('a failure that needs a restart is shown with it', async () => {
  const { simulator, followed } = await subject()
  const restart = async () => void (await createPlugin(clientFor(simulator.url), key).remove(0))
  const { message } = await failureOf({ ...followed, restart }, { scenarios: restartScenarios, drawn: 0, seed: 7 })
  expect(message).toMatch(/^After POST, restart: /)
})

test('a full list is not a failure', async () => {
  const { followed } = await subject({ capacity: 3 })
  await expectSequences(followed, { scenarios: [], drawn: 12, seed: 1 })
})

test('a failure is shrunk to a few requests, with the seed and the path', async () => {
  const { followed } = await subject(overrideOf('sequence.delete-after-rejection-does-nothing'))
  const { message, steps } = await failureOf(followed, { scenarios: [], drawn: 12, seed: 7 })
  expect(message).toContain('`--seed 7`')
  expect(steps[0]).toMatch(/^drawn with --seed 7, path [\d:]+$/)
  expect(steps.filter((step) => typeof step === 'object' && step.request.method === 'DELETE')).not.toEqual([])
  expect(steps.length).toBeLessThan(12)
})

test('the same seed finds the same sequence', async () => {
  const paths = []
  for (let round = 0; round < 2; round += 1) {
    const { followed } = await subject(overrideOf('sequence.new-rule-keeps-removed-value'))
    paths.push((await failureOf(followed)).steps[0])
  }
  expect(paths[0]).toBe(paths[1])
})

test.for([
  'sequence.delete-after-rejection-does-nothing',
  'sequence.positions-from-last-read',
  'delete.moves-last-into-gap',
])('shrinking the failure of %s stays within the announced number of writes', async (defect) => {
  const { followed, writes } = await subject(overrideOf(defect))
  await failureOf(followed, { scenarios: [], drawn: 8, seed: 7 })
  expect(writes()).toBeLessThanOrEqual(mostWritesOf({ scenarios: [], drawn: 8 }))
})

test('an error that is not a verdict ends the search immediately', async () => {
  const { followed, writes } = await subject()
  const interference = new ConcurrentEdit('somebody else is at work', [])
  const interrupted = {
    ...followed.plugin,
    list: () => (writes() > 2 ? Promise.reject(interference) : followed.plugin.list()),
  }
  await expect(expectSequences({ ...followed, plugin: interrupted }, drawn)).rejects.toBe(interference)
  expect(writes()).toBeLessThan(40)
})
