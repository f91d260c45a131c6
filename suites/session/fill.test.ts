import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import { pluginDefects } from '../../simulator/plugin/defects/index.ts'
import type { Override } from '../../simulator/plugin/hooks/hooks.ts'
import { ErrorResponse } from '../../simulator/server/response.ts'
import { OutOfScope } from '../assertions/failure.ts'
import { clientFor } from '../client/client.test-data.ts'
import { type Draft, haveSameLogins, type Logins } from '../model/rule.ts'
import { type FillOptions, fillToCapacity, NoCapacityFound } from './fill.ts'
import { createDrafts, defaultLogins } from './logins.ts'
import { createPlugin } from './plugin.ts'
import { createRules } from './rules.ts'

const key = 'a-key-for-tests'
const others = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }

/** A simulator with two foreign rules, and a function that fills it and keeps its filler. */
async function open(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...others }, ...options })
  await simulator.start()
  const plugin = createPlugin(clientFor(simulator.url), key)
  const rules = createRules({ plugin, draft: createDrafts(defaultLogins, 5) })
  const filler: Draft[] = []
  const fill = (changes: Partial<FillOptions> = {}) =>
    fillToCapacity({ plugin, rules, capacity: null, maxFill: 100, filler, ...changes })
  return { simulator, plugin, rules, filler, fill, [Symbol.asyncDispose]: () => simulator.stop() }
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

test.for([{ stated: null }, { stated: 9 }])(
  'with the stated capacity $stated the list is filled until a rule is rejected',
  async ({ stated }) => {
    await using opened = await open({ capacity: 9 })
    const { count, list, errorResponse, own } = await opened.fill({ capacity: stated })
    expect(count).toBe(9)
    expect(list).toHaveLength(9)
    expect(errorResponse?.status).toBe(500)
    expect(own).toHaveLength(7)
    expect(own.map(({ follower }) => follower)).toEqual(list.slice(2).map(({ follower }) => follower))
    expect(opened.filler).toEqual(own)
  },
)

test('a server without a limit is filled up to max-fill', async () => {
  await using opened = await open()
  const error = await rejection(opened.fill({ maxFill: 12 }))
  expect(error).toBeInstanceOf(OutOfScope)
  expect((error as Error).message).toContain('12 rules were added')
  expect(opened.simulator.rules).toHaveLength(14)
  // A second check must not add them again.
  expect(await rejection(opened.fill({ maxFill: 12 }))).toBeInstanceOf(OutOfScope)
  expect(opened.simulator.rules).toHaveLength(14)
})

test('a stated capacity that would take more than max-fill is out of scope, and nothing is added', async () => {
  await using opened = await open({ capacity: 50 })
  const error = await rejection(opened.fill({ capacity: 50, maxFill: 48 }))
  expect(error).toBeInstanceOf(OutOfScope)
  expect((error as Error).message).toContain('--max-fill 48')
  expect(opened.simulator.rules).toHaveLength(2)
  expect((await opened.fill({ capacity: 50, maxFill: 49 })).count).toBe(50)
})

test('a server that accepts one rule more than the stated capacity has rejected nothing', async () => {
  await using opened = await open({ capacity: 100 })
  const { count, list, errorResponse } = await opened.fill({ capacity: 8 })
  expect(errorResponse).toBeNull()
  expect(count).toBe(9)
  expect(list).toHaveLength(9)
})

test('a list that is full below the stated capacity is reported as full', async () => {
  await using opened = await open({ capacity: 6 })
  expect(await opened.fill({ capacity: 10 })).toMatchObject({ count: 6, errorResponse: { status: 500 } })
})

test('a full list gets no further rule, and is topped up after a removal', async () => {
  await using opened = await open({ capacity: 9 })
  const first = await opened.fill()
  const again = await opened.fill()
  expect(again).toMatchObject({ count: 9, errorResponse: { status: 500 }, own: first.own })
  const [, middle] = first.own
  if (middle === undefined) throw new Error('nothing was filled')
  await opened.rules.remove(middle)
  const third = await opened.fill()
  expect(third.count).toBe(9)
  expect(third.own).toHaveLength(7)
  expect(third.own).not.toContainEqual(middle)
  expect(third.own.slice(0, 6)).toEqual(first.own.filter((draft) => draft !== middle))
  expect(opened.filler).toEqual(third.own)
})

test.for([2, 3, 4])('with a capacity of %i there are too few rules of the kit: out of scope', async (capacity) => {
  await using opened = await open({ capacity })
  const error = await rejection(opened.fill())
  expect(error).toBeInstanceOf(OutOfScope)
  expect((error as Error).message).toContain(`only ${capacity - 2} of its rules belong to the kit`)
  expect(opened.simulator.rules).toHaveLength(capacity)
})

test('three rules of the kit are enough', async () => {
  await using opened = await open({ capacity: 5 })
  expect((await opened.fill()).own).toHaveLength(3)
})

test.for([
  'capacity.replaces-oldest',
  'capacity.replaces-newest',
  'capacity.acknowledged-and-not-stored',
  'capacity.rejected-but-stored',
  'capacity.rejection-returns-200',
])('without a stated capacity %s is detected when the list is read', async (id) => {
  const override = pluginDefects.find((defect) => defect.id === id)?.override
  if (override === undefined) throw new Error(`there is no defect ${id}`)
  await using opened = await open({ capacity: 24, override })
  const error = await rejection(opened.fill())
  expect(error).toMatchObject({ name: 'FailedExpectation', code: 'list.not-as-acknowledged' })
  expect(opened.filler.length).toBeLessThan(26)
})

const once: Readonly<Record<string, (known: Logins, rule: Logins) => boolean>> = {
  'pair of logins': haveSameLogins,
  follower: (known, rule) => known.follower === rule.follower,
}

test.for(Object.entries(once))('a server that allows each %s only once is not taken for full', async ([, isSame]) => {
  const override: Override = ({ judgeRule }) => ({
    judgeRule: (rule, rules) =>
      rules.some((known) => isSame(known, rule)) ? new ErrorResponse(409, 'There is one.') : judgeRule(rule, rules),
  })
  await using opened = await open({ capacity: 90, override })
  const few = createRules({ plugin: opened.plugin, draft: createDrafts({ from: 900_000_000, to: 900_000_007 }, 5) })
  const error = await rejection(opened.fill({ rules: few }))
  expect(error).toBeInstanceOf(NoCapacityFound)
  expect((error as Error).message).toMatch(/no unused follower.*409/)
})

test('foreign rules are never among the kit’s own', async () => {
  await using opened = await open({ capacity: 9 })
  const { own } = await opened.fill()
  expect(own.filter(({ master }) => Number(master) < 900_000_000)).toEqual([])
})
