import { expect, test } from 'vitest'
import type { Draft } from '../model/rule.ts'
import { expectAdded } from './list-changes.ts'

const draft = (master: number): Draft => ({ master, follower: 2001, mode: 'mult', value: 1, direction: 'same' })
const [known, other] = [draft(1001), draft(1002)]
const listed = (...drafts: readonly Draft[]) => drafts.map((one, index) => ({ index, ...one }))

test.for([
  ['the end', listed(known, other), listed(known, other, known), 2],
  ['the start', listed(other, known), listed(known, other, known), 0],
  ['the place of an identical rule', listed(known, other), listed(known, known, other), 1],
] as const)('a rule that is identical to another one is recognised at %s', ([, before, after, place]) => {
  expect(expectAdded(after, before, known)).toBe(after[place])
})

test('a changed rule is not taken for the added one', () => {
  const before = listed(known, other)
  expect(() => expectAdded(listed(draft(1003), other, known), before, known)).toThrow('Other rules have changed')
  expect(() => expectAdded(listed(known, other, draft(1003)), before, known)).toThrow('The rule is not in the list')
})
