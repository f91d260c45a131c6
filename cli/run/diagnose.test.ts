import { describe, expect, test } from 'vitest'
import type { FailureCode } from '../../suites/assertions/failure-texts.ts'
import type { Status } from '../../suites/runner/outcome.ts'
import { diagnose, type FaultMatrix } from './diagnose.ts'

const matrix = {
  'delete.shifts': ['C1:list.not-shifted', 'C2:list.not-shifted', 'C9:sequence.list-wrong'],
  'delete.turns': ['C1:list.not-shifted', 'C2:list.not-shifted', 'C3:list.not-shifted'],
  'status.text': ['C4:status.field-wrong'],
  'key.open': ['C5:response.status-not-401', 'C6:list.changed', 'C9:sequence.list-wrong'],
}
const checks = ['C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7', 'C9']

/** What a run finds in which these checks fail with these codes, and the others pass unless they have a status. */
function results(failures: readonly string[], others: Readonly<Record<string, Status>> = {}) {
  const codes = new Map(
    failures
      .map((failure) => failure.split(':') as [string, FailureCode, string?])
      .map(([check, code, circumstances = '']) => [check, { code, circumstances }]),
  )
  return checks.map((check) => {
    const failure = codes.get(check)
    if (failure !== undefined) return { check, status: 'failed' as const, ...failure }
    return { check, status: others[check] ?? ('passed' as const), code: null, circumstances: '' }
  })
}

const defects = (failures: readonly string[], others?: Readonly<Record<string, Status>>, known: FaultMatrix = matrix) =>
  diagnose(results(failures, others), known).map((candidate) => candidate.defects.join(' + '))

describe('the diagnosis', () => {
  test('names the fault whose failures these are, and then the next best', () => {
    const { 'key.open': _, ...others } = matrix
    const [first, second] = diagnose(results(matrix['delete.shifts']), others)
    expect(first).toEqual({ defects: ['delete.shifts'], explains: ['C1', 'C2', 'C9'], unexplained: [], score: 1 })
    expect(second).toMatchObject({ defects: ['delete.turns'], explains: ['C1', 'C2'], unexplained: ['C9'] })
  })

  test('names one fault before a pair that explains hardly more', () => {
    const known = {
      'delete.first': ['C1:list.not-shifted:lost first, extra inner | GET /api/rules 200'],
      'delete.last': ['C2:list.not-shifted:lost last, extra inner | GET /api/rules 200'],
      'delete.any': [
        'C1:list.not-shifted:lost first, extra inner | GET /api/rules 206',
        'C2:list.not-shifted:lost last, extra inner | GET /api/rules 206',
      ],
    }
    const failures = [...known['delete.first'], ...known['delete.last']]
    expect(defects(failures, {}, known)).toEqual(['delete.any', 'delete.first + delete.last'])
  })

  test('names a pair where one fault leaves failures over', () => {
    const both = [...matrix['delete.shifts'], ...matrix['status.text']]
    expect(diagnose(results(both), matrix)[0]).toEqual({
      defects: expect.arrayContaining(['delete.shifts', 'status.text']),
      explains: ['C1', 'C2', 'C4', 'C9'],
      unexplained: [],
      score: 1,
    })
  })

  test('names nothing where no fault fits, or where nothing failed', () => {
    expect(defects(['C7:list.changed'])).toEqual([])
    expect(defects(['C7:list.changed', 'C9:list.changed'])).toEqual([])
    expect(defects([])).toEqual([])
  })

  test('counts a passed check against a fault that it would fail for, but none that was not judged', () => {
    expect(defects(['C6:list.changed'], { C5: 'blocked', C9: 'out-of-scope' })).toEqual(['key.open'])
    expect(diagnose(results(['C6:list.changed'], { C5: 'blocked', C9: 'out-of-scope' }), matrix)[0]?.score).toBe(1)
    expect(diagnose(results(['C6:list.changed']), matrix)[0]?.score).toBeLessThan(0.9)
  })

  test('prefers the fault that fails the check with the same code', () => {
    const twins = { 'a.other': ['C1:list.changed'], 'b.same': ['C1:list.not-shifted'] }
    expect(diagnose(results(['C1:list.not-shifted']), twins).map((one) => one.defects[0])).toEqual([
      'b.same',
      'a.other',
    ])
  })

  test('prefers the fault that fails the check in the most similar circumstances', () => {
    const twins = {
      'a.other': ['C1:list.changed:POST'],
      'b.similar': ['C1:list.changed:DELETE of 2'],
      'c.same': ['C1:list.changed:DELETE of 1'],
    }
    expect(defects(['C1:list.changed:DELETE of 1'], {}, twins)).toEqual(['c.same', 'b.similar', 'a.other'])
  })

  test('names one fault rather than two that explain hardly more', () => {
    const alike = ['C1:list.changed', 'C2:list.changed', 'C4:list.changed', 'C5:list.changed']
    const one = [...alike, 'C3:list.changed:a POST']
    const found = defects([...alike, 'C3:list.changed:a DELETE'], {}, { one, two: ['C3:list.changed:a DELETE'] })
    expect(found[0]).toBe('one')
  })

  test('names no defect twice', () => {
    const both = [...matrix['delete.shifts'], ...matrix['status.text']]
    const named = diagnose(results(both), matrix).flatMap((candidate) => candidate.defects)
    expect(named).toHaveLength(new Set(named).size)
  })

  test('lets a check that many faults fail weigh less', () => {
    const telling = { one: ['C1:list.changed', 'C9:list.changed'], two: ['C2:list.changed', 'C9:list.changed'] }
    const failures = ['C1:list.changed', 'C9:list.changed']
    expect(diagnose(results(failures), telling).map((one) => one.defects[0])).toEqual(['one'])
  })

  test('leaves a check unexplained that the known faults do not hold', () => {
    const [first] = diagnose(
      [...results(matrix['delete.shifts']), { check: 'X1', status: 'failed', code: null, circumstances: '' }],
      matrix,
    )
    expect(first).toMatchObject({ defects: ['delete.shifts'], unexplained: ['X1'] })
  })
})
