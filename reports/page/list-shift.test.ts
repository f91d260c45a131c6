import { expect, test } from 'vitest'
import { buildReport } from '../document.ts'
import type { ReportedCheck } from '../report.ts'
import { sampleRun } from '../sample-run.test-data.ts'
import { shiftedList } from '../shifted-list.test-data.ts'
import { listShiftOf } from './list-shift.ts'

const check = buildReport(sampleRun(1, { outcomes: [shiftedList('CT-106')] })).requirements.flatMap(({ checks }) =>
  checks.filter(({ id }) => id === 'CT-106'),
)[0] as ReportedCheck

const rows = (of: ReportedCheck) => {
  const shift = listShiftOf(of)
  const text = (row: NonNullable<typeof shift>['left'][number]) =>
    [row.index, row.rule.slice(5, 9), row.change, row.shouldBe].filter((part) => part !== null).join(' ')
  return shift && { titles: shift.titles, left: shift.left.map(text), right: shift.right.map(text) }
}

test('a removal is shown as the list before and after it, with the change of each rule', () => {
  expect(rows(check)).toEqual({
    titles: ['Before', 'After DELETE /api/rules/1'],
    left: ['0 2001 stayed', '1 2002 removed', '2 2003 misplaced', '3 2004 misplaced'],
    right: ['0 2001 stayed', '1 2004 misplaced 2', '2 2003 misplaced 1'],
  })
  expect(listShiftOf(check)?.arrows).toEqual([
    { from: 0, to: 0, change: 'stayed' },
    { from: 2, to: 2, change: 'misplaced' },
    { from: 3, to: 1, change: 'misplaced' },
  ])
})

test('without the list before the removal, the expected list is compared with the actual one', () => {
  const data = { expected: ['1>2001', '1>2002'], actual: ['1>2002', '1>2009'], difference: null }
  const shift = listShiftOf({ ...check, code: 'start.rules-wrong', data })
  expect(shift?.left.map(({ change }) => change)).toEqual(['vanished', 'misplaced'])
  expect(shift?.right.map(({ change }) => change)).toEqual(['misplaced', 'appeared'])
})

test('a rule that may be outside an excerpt has no change', () => {
  const excerpt = (lines: readonly string[]) => ({ length: 60, from: 0, lines })
  const data = { expected: excerpt(['#0 a>b', '#1 c>d']), actual: excerpt(['#0 a>b', '#1 e>f']), difference: null }
  expect(listShiftOf({ ...check, code: 'list.changed', data, exchanges: [] })?.left[1]?.change).toBe('beyond')
})

test.each([null, { expected: 200, actual: 'text', difference: null }])(
  'a failure without lists has no picture: %j',
  (data) => {
    expect(listShiftOf({ ...check, exchanges: [], data })).toBeNull()
  },
)
