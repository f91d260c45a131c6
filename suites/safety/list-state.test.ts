import { array, constantFrom, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../simulator/testing/always.ts'
import { contentOf, type Rule } from '../model/rule.ts'
import { changedBetween, differences, listState, missingFrom, stillLost } from './list-state.ts'

const rule = (index: number, changes: Partial<Rule> = {}): Rule => ({
  index,
  master: 1000 + index,
  follower: 2000,
  mode: 'mult',
  value: 1.5,
  direction: 'same',
  ...changes,
})
const [a, b, c] = [rule(0), rule(1), rule(2)]

/** Lists with occasional equal rules. */
const anyList = array(
  record({
    index: constantFrom(0, 1, 2),
    master: constantFrom(1, 2, 18_446_744_073_709_551_615n),
    follower: constantFrom(3, 4),
    mode: constantFrom('mult', 'fixed'),
    value: constantFrom(0.1, 2),
    direction: constantFrom('same', 'reverse'),
  }),
  { maxLength: 6 },
)

test('equal lists have no difference, whatever their indices', () => {
  expect(differences([a, b], [a, b])).toEqual([])
  expect(
    differences(
      [a, b],
      [
        { ...a, index: 1 },
        { ...b, index: 2 },
      ],
    ),
  ).toEqual([])
  expect(differences([], [])).toEqual([])
})

test('a rule with the logins of a lost one is its change, once for each', () => {
  const changed = { ...a, value: 2 }
  expect([...changedBetween([a, b], [changed, b, c])]).toEqual([[a, changed]])
  expect([...changedBetween([a], [changed, changed])]).toEqual([[a, changed]])
  expect([...changedBetween([a, b], [a, changed])]).toEqual([])
})

test('a removed rule is missing, and a new one was added', () => {
  expect(differences([a, b], [b])).toEqual(['missing: 1000>2000 mult 1.5 same'])
  expect(differences([a], [a, c])).toEqual(['added: 1002>2000 mult 1.5 same'])
  expect(differences([a, b], [b, c])).toEqual(['missing: 1000>2000 mult 1.5 same', 'added: 1002>2000 mult 1.5 same'])
})

test.for(['master', 'follower', 'mode', 'value', 'direction'] as const)(
  'a rule with another %s is another rule',
  (field) => {
    const other = { ...a, [field]: { master: 7, follower: 7, mode: 'fixed', value: 7, direction: 'reverse' }[field] }
    expect(differences([a], [other])).toHaveLength(2)
    expect(listState([other]).hash).not.toBe(listState([a]).hash)
  },
)

test('equal rules are counted: if one of two was removed, one is missing', () => {
  expect(differences([a, a], [a])).toEqual(['missing: 1000>2000 mult 1.5 same'])
  expect(differences([a], [a, a])).toEqual(['added: 1000>2000 mult 1.5 same'])
})

test('the same rules in another order differ', () => {
  expect(differences([a, b], [b, a])).toEqual(['the order of the rules has changed'])
  expect(listState([a, b]).hash).not.toBe(listState([b, a]).hash)
})

test('there are no differences if and only if the hashes are equal', () => {
  always(
    property(anyList, anyList, (one, other) => {
      const same = listState(one).hash === listState(other).hash
      expect(differences(one, other).length === 0).toBe(same)
      expect(differences(one, structuredClone(one))).toEqual([])
    }),
  )
})

test('swapping the lists swaps missing and added rules', () => {
  const lines = (kind: string, list: readonly string[]) =>
    list.filter((line) => line.startsWith(kind)).map((line) => line.slice(kind.length))
  always(
    property(anyList, anyList, (one, other) => {
      const [there, back] = [differences(one, other), differences(other, one)]
      expect(lines('missing: ', there).toSorted()).toEqual(lines('added: ', back).toSorted())
    }),
  )
})

test('the hash is SHA-256 in hexadecimal, and covers all digits of logins beyond a double', () => {
  const { hash, rules } = listState([rule(0, { master: 18_446_744_073_709_551_615n })])
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(rules).toHaveLength(1)
  expect(listState([rule(0, { master: 18_446_744_073_709_551_614n })]).hash).not.toBe(hash)
})

test('a lost rule is back only if there are as many equal ones as before', () => {
  const lost = [contentOf(a)]
  expect(stillLost(lost, [a, b, a], [b, a])).toEqual(lost)
  expect(stillLost(lost, [a, b, a], [a, b, a])).toEqual([])
})

test('a rule that was lost and added again several times is not missing if it is in the list', () => {
  const lost = [contentOf(c), contentOf(c)]
  expect(stillLost(lost, [a, c], [c, a])).toEqual([])
  expect(stillLost(lost, [a, c], [a])).toEqual([contentOf(c)])
})

test('a rule that another client added during the run can be lost too', () => {
  expect(stillLost([contentOf(c)], [a], [a])).toEqual([contentOf(c)])
  expect(stillLost([contentOf(c)], [a], [a, c])).toEqual([])
})

test('two lists of 50,000 rules in different orders are compared quickly', () => {
  const rules = Array.from({ length: 50_000 }, (_, index) => ({ ...rule(index), index }))
  const other = [...rules.slice(1, -1).toReversed(), rule(-1)]
  expect(missingFrom(other, rules)).toEqual([rules[0], rules.at(-1)])
  expect(differences(rules, other)).toHaveLength(3)
})
