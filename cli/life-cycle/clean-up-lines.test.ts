import { expect, test } from 'vitest'
import type { Rule } from '../../suites/model/rule.ts'
import { lossLines, waitingLine } from './clean-up-lines.ts'

const rule: Rule = { index: 0, master: 1001, follower: 2001, mode: 'mult', value: 1.5, direction: 'same' }
const nothing = { lost: [], possiblyLost: [], possiblyUnlisted: false, changed: [], incomplete: [], further: [] }
const explained = (facts: object) => lossLines({ ...nothing, ...facts } as never, 'copytrade-tck restore --ledger l')

test.for(['lost', 'possiblyLost'])('the lines about rules that are %s say once how to add them again', (what) => {
  const lines = explained({ [what]: [rule] })
  expect(lines.filter((line) => line.includes('1001>2001'))).toHaveLength(1)
  expect(lines.filter((line) => line.endsWith('copytrade-tck restore --ledger l --re-add'))).toHaveLength(1)
})

test('the wait of a run ends at the second Ctrl-C, like its checks, and that of `restore` at the first', () => {
  expect(waitingLine(5_000, 'run')).toContain(' 5 s. Ctrl-C twice ends it at once; ')
  expect(waitingLine(5_000, 'restore')).toContain(' 5 s. Ctrl-C ends it at once; ')
})

test('a rule that was added again without members that it had is named with them', () => {
  const further = ['comment', 'since']
  expect(explained({ incomplete: [rule], further })).toEqual([
    'added again; it may lack `comment`, `since`, which the kit cannot send: #0 1001>2001 mult 1.5 same',
  ])
})

test('without a missing rule there is no line', () => {
  expect(explained({})).toEqual([])
})
