import { describe, expect, test } from 'vitest'
import type { Harm, Report } from '../../reports/report.ts'
import { failed, passed, stoppedAtEnd } from '../../reports/sample-run.test-data.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { ids, reportOf } from '../baseline/sample-baseline.test-data.ts'
import { changesBetween, differencesOfRuns } from './changes.ts'
import { compareMany, exitCodeOf, matrixOf } from './compare.ts'

const { required } = ids
const state = (check: string, status: Outcome['status']): Outcome => ({ ...passed(check), status })
const good = reportOf([])
const bad = reportOf([failed(required)])

const between = (old: Report, fresh: Report) =>
  changesBetween(old, fresh).map(({ kind, subject }) => `${kind} ${subject}`)

describe('a check in two reports', () => {
  test.each([
    { what: 'passes and then fails', old: good, fresh: bad, kind: 'regression', code: 1 },
    { what: 'fails and then passes', old: bad, fresh: good, kind: 'fix', code: 0 },
    {
      what: 'was out of scope and fails',
      old: reportOf([state(required, 'out-of-scope')]),
      fresh: bad,
      kind: 'new-failure',
      code: 0,
    },
    { what: 'is blocked now', old: good, fresh: reportOf([state(required, 'blocked')]), kind: 'unjudged', code: 3 },
    {
      what: 'is out of scope now',
      old: bad,
      fresh: reportOf([state(required, 'out-of-scope')]),
      kind: 'not-run',
      code: 0,
    },
    {
      what: 'fails with another code',
      old: bad,
      fresh: reportOf([{ ...failed(required), code: 'sequence.list-wrong' }]),
      kind: 'changed-failure',
      code: 0,
    },
  ])('$what: $kind, exit code $code', ({ old, fresh, kind, code }) => {
    expect(between(old, fresh)).toEqual([`${kind} ${required}`])
    expect(exitCodeOf(changesBetween(old, fresh))).toBe(code)
  })

  test('has the same failure if only its text differs', () => {
    const reworded = reportOf([{ ...failed(required), message: 'in other words', expected: 'a', actual: 'b' }])
    expect(between(bad, reworded)).toEqual([])
  })
})

test('a regression decides the exit code even if a check can no longer be judged', () => {
  expect(exitCodeOf([{ kind: 'unjudged' }, { kind: 'regression' }])).toBe(1)
})

test('a changed answer is drift, and an answer that was not observed is not', () => {
  const [check, question] = ['CT-700', 'q']
  const observation = {
    question,
    check,
    clause: '1',
    text: 'Which?',
    default: 'a',
    message: null,
    exchanges: [],
    exchangesOmitted: 0,
  }
  const answering = (answer: string | null, status: Outcome['status'] = 'passed'): Report => ({
    ...good,
    observations: [{ ...observation, answer, status }],
  })
  expect(changesBetween(answering('a'), answering('b'))).toEqual([
    { kind: 'drift', subject: question, about: 'Which? (clause 1)', before: 'a', after: 'b' },
  ])
  expect(between(answering('a'), answering(null, 'out-of-scope'))).toEqual([])
})

describe('a verdict that got worse without a failed check', () => {
  const question = (status: Outcome['status']) => reportOf([{ ...state('CT-700', status), message: 'because' }])

  test.each(['blocked', 'error', 'failed'] as const)(
    'a question that had an answer is %s: unjudged, exit code 3',
    (now) => {
      const [old, fresh] = [question('passed'), question(now)]
      expect([old.verdict, fresh.verdict]).toEqual(['conformant', 'incomplete'])
      expect(changesBetween(old, fresh)).toMatchObject([{ kind: 'unjudged', subject: old.observations[0]?.question }])
      expect(changesBetween(old, fresh)[0]?.after).toMatch(/: because$/)
      expect(exitCodeOf(changesBetween(old, fresh))).toBe(3)
      expect(between(question('blocked'), fresh)).toEqual([])
    },
  )

  test('the server died at the end: regression, exit code 1, whatever failed before', () => {
    const dead = reportOf([], false, stoppedAtEnd)
    expect(changesBetween(good, dead)).toEqual([
      {
        ...{ kind: 'regression', subject: 'list', about: 'the end of the run' },
        ...{ before: '0 of 14 rules changed.', after: dead.explanation },
      },
    ])
    expect(exitCodeOf(changesBetween(good, dead))).toBe(1)
    expect(between(bad, dead)).toEqual(['regression list', `fix ${required}`])
    expect(between(dead, dead)).toEqual([])
  })

  test.each([
    ['not restored', { restored: false }, 'regression list', 1],
    ['unknown, since the server no longer responds', { restored: false, unreachable: true }, 'unjudged list', 3],
  ] as const)('the list of a running server is %s', (_, changes, change, code) => {
    const old: Report = { ...good, target: { ...good.target, kind: 'url' } }
    const fresh: Report = { ...old, harm: { ...(good.harm as Harm), ...changes } }
    expect(between(old, fresh)).toEqual([change])
    expect(exitCodeOf(changesBetween(old, fresh))).toBe(code)
    expect(between(fresh, fresh)).toEqual([])
  })
})

test('an operation is slower if its median clearly increased', () => {
  const taking = (durationMs: number, count = 20): Report =>
    reportOf([{ ...passed(required), durationsMs: { 'GET /api/rules': Array(count).fill(durationMs) } }])
  expect(between(taking(3), taking(9))).toEqual(['slower GET /api/rules'])
  expect(between({ ...good, responseTimes: [] }, taking(9))).toEqual([])
  expect(between(taking(1), taking(4))).toEqual([])
  expect(between(taking(20), taking(30))).toEqual([])
  expect(between(taking(3, 5), taking(9, 5))).toEqual([])
})

test('differences between the runs are named, except for seed and time', () => {
  const other: Report = { ...good, seed: 7, scope: { ...good.scope, risk: 'exclusive' } }
  expect(differencesOfRuns(good, other)).toEqual(['risk: write before, exclusive now'])
})

test('a matrix has the requirements that fail somewhere or differ', () => {
  const rows = matrixOf([good, bad, { requirements: [] }])
  const row = rows.find(({ statuses }) => statuses.includes('failed'))
  expect(row?.statuses).toEqual(['passed', 'failed', null])
  expect(matrixOf([good, good])).toEqual([])
  expect(matrixOf([bad, bad])).toHaveLength(1)
})

test('several reports without a failure and without a difference have no table', () => {
  const version = { name: 'report.json', report: good }
  expect(compareMany([version, version, version]).page.sections).toEqual([])
})
