import { double, property } from 'fast-check'
import { expect, test } from 'vitest'
import { always } from '../../simulator/testing/always.ts'
import { contentOf, describeRule, sameContent, sameToSixDigits } from './rule.ts'

const rule = { master: 1001, follower: 2001, mode: 'mult', value: 1.5, direction: 'same' }
const positive = double({ min: 1e-30, max: 1e30, noNaN: true })

test('a value that was stored as a 32-bit float is the same value', () => {
  always(property(positive, (value) => sameToSixDigits(value, Math.fround(value))))
})

test('a value that differs in its first five digits is another value', () => {
  always(property(positive, (value) => !sameToSixDigits(value, value * 1.000_01)))
})

test('an alias of a mode is the same content, whatever the index', () => {
  expect(sameContent(rule, { ...rule, mode: 'multiplier' })).toBe(true)
  expect(sameContent({ ...rule, mode: 'multiplier' }, rule)).toBe(true)
  expect(sameContent({ ...rule, index: 1 } as typeof rule, rule)).toBe(true)
})

test.for([
  { master: 1002 },
  { follower: 2002 },
  { mode: 'fixed' },
  { value: 1.51 },
  { direction: 'reverse' },
  { master: 1001n },
])('%o makes the content different', (changes) => {
  expect(sameContent(rule, { ...rule, ...changes })).toBe(false)
})

test('a rule is described in one line, with its index if it has one', () => {
  expect(describeRule(rule)).toBe('1001>2001 mult 1.5 same')
  expect(describeRule({ ...rule, index: 3, master: 2n ** 64n - 1n })).toBe('#3 18446744073709551615>2001 mult 1.5 same')
  expect(contentOf({ ...rule, index: 3 })).toEqual(rule)
})
