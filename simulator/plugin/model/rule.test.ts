import { expect, test } from 'vitest'
import { type Rule, sameContent, samePair } from './rule.ts'

const rule: Rule = { master: 1001n, follower: 2001n, mode: 'mult', value: 1.5, direction: 'same' }

test.each<Partial<Rule>>([
  { master: 1002n },
  { follower: 2002n },
  { mode: 'fixed' },
  { value: 2 },
  { direction: 'reverse' },
])('rules that differ in %o do not have the same content', (change) => {
  const other = { ...rule, ...change }
  expect(sameContent(rule, other)).toBe(false)
  expect(sameContent(rule, { ...rule })).toBe(true)
  expect(samePair(rule, other)).toBe(!('master' in change || 'follower' in change))
})
