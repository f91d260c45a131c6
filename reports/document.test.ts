import { describe, expect, test } from 'vitest'
import type { Outcome, Status } from '../suites/runner/outcome.ts'
import { buildReport } from './document.ts'
import type { RequirementStatus } from './report.ts'
import { passed, sampleRun } from './sample-run.test-data.ts'

const requirement = {
  id: 'plugin.one',
  clause: '4.2',
  level: 'required',
  statement: 'One thing holds.',
  consequence: 'Something breaks.',
} as const
const checks = [
  { id: 'CT-1', title: 'first', requirement: 'plugin.one' },
  { id: 'CT-2', title: 'second', requirement: 'plugin.one' },
]
const ended = (check: string, status: Status): Outcome => ({ ...passed(check), status, message: status })

function statusOf(first: Status, second: Status): RequirementStatus | undefined {
  const outcomes = [ended('CT-1', first), ended('CT-2', second)]
  return buildReport(sampleRun(1, { requirements: [requirement], checks, outcomes })).requirements[0]?.status
}

describe('the status of a requirement', () => {
  test.each<[Status, Status, RequirementStatus]>([
    ['passed', 'failed', 'failed'],
    ['error', 'failed', 'failed'],
    ['blocked', 'error', 'error'],
    ['passed', 'blocked', 'blocked'],
    ['out-of-scope', 'passed', 'partly-judged'],
    ['out-of-scope', 'failed', 'failed'],
    ['out-of-scope', 'blocked', 'blocked'],
    ['not-applicable', 'passed', 'passed'],
    ['not-applicable', 'out-of-scope', 'out-of-scope'],
    ['not-applicable', 'not-applicable', 'not-applicable'],
  ])('of checks that are %s and %s is %s, in either order', (first, second, expected) => {
    expect(statusOf(first, second)).toBe(expected)
    expect(statusOf(second, first)).toBe(expected)
  })

  test('is out of scope with a reason when none of its checks was selected', () => {
    const report = buildReport(sampleRun(1, { requirements: [requirement], checks, outcomes: [] }))
    expect(report.requirements[0]).toMatchObject({ status: 'out-of-scope', reason: 'not selected by --only or --skip' })
    expect(report.requirements[0]?.checks.map((check) => check.status)).toEqual(['out-of-scope', 'out-of-scope'])
  })

  test('is out of scope with another reason when no check judges it', () => {
    const report = buildReport(sampleRun(1, { requirements: [requirement], checks: [], outcomes: [] }))
    expect(report.requirements[0]).toMatchObject({ status: 'out-of-scope', reason: 'the kit has no check for it' })
  })
})

describe('buildReport', () => {
  test('gives the same report for the same run', () => {
    expect(buildReport(sampleRun(7))).toEqual(buildReport(sampleRun(7)))
  })

  test('counts every requirement once', () => {
    const { summary, requirements } = buildReport(sampleRun())
    const counts = Object.values(summary).flatMap((row) => Object.values(row))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(requirements.length)
    expect(summary.required).toMatchObject({ failed: 1, blocked: 1, 'out-of-scope': 1, 'not-applicable': 1 })
  })

  test('explains an answer, or what was observed instead', () => {
    const question = sampleRun().questions[0]
    if (question === undefined) throw new Error('the sample has no question')
    const checks = [{ id: 'CT-9', title: 'looks', question: question.id }]
    const observe = (changes: Partial<Outcome>) => {
      const outcomes = [{ ...passed('CT-9'), ...changes }]
      return buildReport(sampleRun(1, { requirements: [], checks, outcomes })).observations[0]
    }
    expect(observe({ answer: 'before' })).toMatchObject({ check: 'CT-9', message: question.answers.before })
    expect(observe({ answer: 'before', message: '401' })?.message).toBe(`${question.answers.before} (observed: 401)`)
    expect(observe({ message: 'answered with 418' })).toMatchObject({ answer: null, message: 'answered with 418' })
  })

  test('rejects an answer that its question does not have', () => {
    const outcomes = [{ ...passed('CT-700'), answer: 'perhaps' }]
    expect(() => buildReport(sampleRun(1, { outcomes }))).toThrow('observed the answer "perhaps"')
  })
})

test('a check may send more requests than a function can have arguments', () => {
  const durationsMs = { 'POST /api/rules': Array.from({ length: 200_000 }, () => 2) }
  const outcomes = [{ ...ended('CT-1', 'passed'), durationsMs }, ended('CT-2', 'passed')]
  const { responseTimes } = buildReport(sampleRun(1, { requirements: [requirement], checks, outcomes }))
  expect(responseTimes).toMatchObject([{ operation: 'POST /api/rules', responses: 200_000, medianMs: 2 }])
})
