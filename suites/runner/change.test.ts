import { expect, test } from 'vitest'
import { expectEqual, expectExactly, expectSameLines, expectUnchanged } from '../assertions/expect.ts'
import { FailedExpectation } from '../assertions/failure.ts'
import type { Rule } from '../model/rule.ts'
import { changeIn } from './failure-summary.ts'

/** The change in the failure of an expectation. */
function changeOf(expectation: () => void): string | undefined {
  try {
    expectation()
  } catch (error) {
    if (error instanceof FailedExpectation) return changeIn(error.data)
  }
  throw new Error('it did not fail')
}

const rule = (login: number, changes: Partial<Rule> = {}): Rule => ({
  ...{ index: login % 10, master: login, follower: login + 1, mode: 'mult', value: 1.25, direction: 'same' },
  ...changes,
})
const list = [rule(9001), rule(9002), rule(9003)]

test.for<[string, Rule[], string]>([
  ['a field', [rule(9001), rule(9002, { value: 1 }), rule(9003)], '1.25→1'],
  ['a login', [rule(9001), rule(9002, { follower: 7 }), rule(9003)], '0000>0000→0000>0'],
  ['the place of a rule that is lost', [rule(9001), rule(9002)], 'lost last, -1'],
  ['the place of a rule that is too many', [rule(9000), ...list], 'extra first, +1'],
  ['the order', [rule(9003), rule(9002), rule(9001)], 'reversed'],
  ['the indices', list.map((one) => ({ ...one, index: 0 })), 'indices'],
  ['that much is lost', [], 'lost first, lost inner, lost last, -3'],
])('the change of a list says %s', ([, actual, change]) => {
  expect(changeOf(() => expectUnchanged(actual, list))).toBe(change)
})

test('the change of one rule shows the fields that differ', () => {
  const data = { index: 0, listedAt: null, difference: 'other rule' }
  const rules = {
    expected: { master: 9001, value: 1, direction: 'same' },
    actual: { master: 9002, value: 1, direction: 'reverse' },
  }
  expect(changeIn({ ...data, ...rules } as never)).toBe('other rule, master, same→reverse')
})

test('the change of an unordered list shows positions in the expected order', () => {
  expect(changeOf(() => expectSameLines('start.rules-wrong', ['3>4', '1>2'], ['1>2', '5>6', '3>4']))).toBe(
    'lost inner, -1',
  )
})

test('a small difference of numbers is exact, a large one shows only its length', () => {
  expect(changeOf(() => expectEqual('list.total-wrong', 4, 5))).toBe('-1')
  expect(changeOf(() => expectEqual('list.total-wrong', 95, 5))).toBe('+00')
})

test('values that are the same in every run are shown', () => {
  expect(changeOf(() => expectExactly('rule.value-changed', 0.01, 0.0123))).toBe('[0.0123,0.01]')
})
