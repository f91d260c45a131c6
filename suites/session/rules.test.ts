import { expect, test } from 'vitest'
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts'
import type { Hooks } from '../../simulator/plugin/hooks/hooks.ts'
import type { RuleList } from '../../simulator/plugin/model/rule-list.ts'
import { ErrorResponse } from '../../simulator/server/response.ts'
import { CannotArrange, FailedExpectation } from '../assertions/failure.ts'
import { clientFor, responseOf } from '../client/client.test-data.ts'
import { createDrafts, defaultLogins } from './logins.ts'
import { createPlugin } from './plugin.ts'
import { arranged, createRules, rulesIn } from './rules.ts'

const key = 'a-key-for-tests'
const others = { Copy_1: '1001>2001,mult,1.5,same', Copy_2: '1002>2002,fixed,0.5,reverse' }

async function open(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ port: 0, parameters: { API_Key: key, ...others }, ...options })
  await simulator.start()
  const plugin = createPlugin(clientFor(simulator.url), key)
  const rules = createRules({ plugin, draft: createDrafts(defaultLogins, 5) })
  return { simulator, plugin, rules, [Symbol.asyncDispose]: () => simulator.stop() }
}

const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

function response(status: number, body: string) {
  const request = { method: 'GET', url: '', headers: [], body: null }
  const exchange = { id: 'x1', startedAt: '', durationMs: 0, request, response: null, failure: null }
  return responseOf(status, {}, Buffer.from(body), exchange)
}

test('the list is read in order, with logins that a double cannot represent', async () => {
  await using opened = await open({
    parameters: {
      API_Key: key,
      Copy_1: '18446744073709551615>2001,mult,1.5,same',
      Copy_2: '1002>2002,fixed,0.5,reverse',
    },
  })
  expect(await opened.rules.read()).toEqual([
    { index: 0, master: 18_446_744_073_709_551_615n, follower: 2001, mode: 'mult', value: 1.5, direction: 'same' },
    { index: 1, master: 1002, follower: 2002, mode: 'fixed', value: 0.5, direction: 'reverse' },
  ])
})

test('the requested number of rules is added, and returned as listed', async () => {
  await using opened = await open()
  const [first, second] = await opened.rules.arrange(2)
  const list = await opened.rules.read()
  expect(list.slice(2)).toEqual([first, second])
  expect([first.index, second.index]).toEqual([2, 3])
})

test('rules are added in the given order, and found at any position', async () => {
  await using opened = await open({
    profile: { 'plugin.add.position': 'start' },
  })
  const drafts = [opened.rules.draft({ mode: 'multiplier' }), opened.rules.draft()] as const
  const [first, second] = await opened.rules.arrange(drafts)
  expect(first).toMatchObject({ master: drafts[0].master, follower: drafts[0].follower, mode: 'mult' })
  expect(second).toMatchObject({ master: drafts[1].master, follower: drafts[1].follower })
  expect(opened.simulator.rules).toHaveLength(4)
})

test('a rejected rule cannot be arranged: the message shows the rule and the response', async () => {
  await using opened = await open({ capacity: 3 })
  const error = await rejection(opened.rules.arrange(2))
  expect(error).toBeInstanceOf(CannotArrange)
  expect((error as Error).message).toMatch(
    /^POST of 9\d+>9\d+ (mult|fixed) \S+ (same|reverse) was answered with 500 \{/,
  )
})

test('a rule that is acknowledged but not listed could not be arranged', async () => {
  await using opened = await open({ override: () => ({ addRule: (rules) => ({ rules, position: 0 }) }) })
  const error = await rejection(opened.rules.arrange(1))
  expect(error).toBeInstanceOf(CannotArrange)
  expect((error as Error).message).toMatch(/^The rule is not in the list. Expected: 9\d+>9\d+ /)
})

test('a rule is removed by the index that the list shows for it', async () => {
  await using opened = await open()
  const [first, second] = await opened.rules.arrange(2)
  expect((await opened.rules.sendRemoval(first)).status).toBe(200)
  await opened.rules.remove(second)
  expect(opened.simulator.rules.map(({ follower }) => Number(follower))).toEqual([2001, 2002])
})

const failedRemoval: Hooks['finish'] = (response, { method }) => ({
  ...response,
  status: method === 'DELETE' ? 500 : response.status,
})

test.for([
  ['stays listed', { removeRule: (list: RuleList) => list }, 'answered with 200, and the rule is listed'],
  ['got an error', { finish: failedRemoval }, 'answered with 500'],
] as const)('a rule whose removal %s does not count as removed', async ([, wrong, message]) => {
  await using opened = await open({ override: () => wrong })
  const [rule] = await opened.rules.arrange(1)
  const error = await rejection(opened.rules.remove(rule))
  expect(error).toBeInstanceOf(CannotArrange)
  expect((error as Error).message).toContain(message)
})

test('of optional rules those that the server accepts are returned', async () => {
  const judgeRule = ({ value }: { value: number }) => (value < 1 ? new ErrorResponse(400, 'too small') : undefined)
  await using opened = await open({ override: () => ({ judgeRule }) })
  const [small, large] = [opened.rules.draft({ value: 0.5 }), opened.rules.draft({ value: 2 })]
  expect(await opened.rules.offer([small, large])).toEqual([large])
})

test.for([
  ['is about the key', { judgeRule: () => new ErrorResponse(401, 'no') }, 'was answered with 401 '],
  [
    'is not true',
    { addRule: (rules: RuleList) => ({ rules, position: 0 }) },
    '1 rules were accepted, and the list has 0',
  ],
] as const)('if the response %s, no rule counts as accepted or rejected', async ([, wrong, message]) => {
  await using opened = await open({ override: () => wrong })
  const error = await rejection(opened.rules.offer([opened.rules.draft()]))
  expect(error).toBeInstanceOf(CannotArrange)
  expect((error as Error).message).toContain(message)
})

test('removing a missing rule fails and removes nothing', async () => {
  await using opened = await open()
  expect(await rejection(opened.rules.remove(opened.rules.draft()))).toBeInstanceOf(CannotArrange)
  expect(opened.simulator.rules).toHaveLength(2)
})

test('the only rule with given contents is found, and none or two fail the expectation', async () => {
  await using opened = await open()
  const { rules } = opened
  const list = await rules.read()
  const [one] = list
  if (one === undefined) throw new Error('the list is empty')
  expect(rules.find(list, { ...one, value: 1.500_000_1 })).toBe(one)
  const errors = [() => rules.find(list, rules.draft()), () => rules.find([...list, ...list], one)].map((find) => {
    try {
      return find()
    } catch (error) {
      return error
    }
  })
  expect(errors).toEqual([expect.any(FailedExpectation), expect.any(FailedExpectation)])
  expect(errors).toMatchObject([
    { code: 'rule.missing', actual: '0 times among 2 rules' },
    { code: 'rule.repeated', actual: '2 times among 4 rules' },
  ])
})

test.for([
  ['another status', 500, '{"rules":[]}', 'response.status-not-200'],
  ['invalid JSON', 200, 'rules', 'body.not-object'],
  ['an array', 200, '[]', 'body.not-object'],
  ['no rules', 200, '{"total":0}', 'list.rules-not-array'],
  ['rules that are not an array', 200, '{"rules":{}}', 'list.rules-not-array'],
  ['a rule that is not an object', 200, '{"rules":[1]}', 'rule.not-object'],
  ['a rule that is null', 200, '{"rules":[null]}', 'rule.not-object'],
  ['a rule that is an array', 200, '{"rules":[[]]}', 'rule.not-object'],
] as const)('%s is not a list of rules', ([, status, body, code]) => {
  expect(() => rulesIn(response(status, body))).toThrow(FailedExpectation)
  expect(() => rulesIn(response(status, body))).toThrow(expect.objectContaining({ code }))
})

test('a value is a double, however large, and a login is exact', () => {
  const big = '12345678901234567890'
  const listed = rulesIn(response(200, `{"rules":[{"index":0,"master":${big},"follower":2,"value":${big}}]}`))
  expect(listed[0]).toMatchObject({ master: BigInt(big), value: Number(big) })
})

test('unknown members of a rule are allowed', () => {
  const rule = { index: 0, master: 1, follower: 2, mode: 'mult', value: 1, direction: 'same' }
  expect(rulesIn(response(200, JSON.stringify({ rules: [{ ...rule, note: 'x' }], more: 1 })))).toEqual([rule])
})

test('a value beyond 2^53 is a number, even without an exponent', () => {
  const body =
    '{"rules":[{"index":0,"master":1,"follower":2,"mode":"mult","value":12345600000000000,"direction":"same"}]}'
  expect(rulesIn(response(200, body))).toMatchObject([{ value: 1.23456e16 }])
})

test('a failed expectation in a preparation blocks the check, and other errors are passed on', async () => {
  const failed = new FailedExpectation('rule.mode-changed', { expected: 'mult', actual: 'fixed', difference: null })
  const blocked = await rejection(arranged(() => Promise.reject(failed)))
  expect(blocked).toBeInstanceOf(CannotArrange)
  expect(blocked).toMatchObject({
    message: 'The listed mode is not the one that was sent. Expected: mult; actual: fixed.',
    cause: failed,
  })
  const bug = new TypeError('a bug')
  expect(await rejection(arranged(() => Promise.reject(bug)))).toBe(bug)
  expect(await arranged(async () => 7)).toBe(7)
})
