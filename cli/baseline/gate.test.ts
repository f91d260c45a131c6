import { describe, expect, test } from 'vitest'
import type { Report } from '../../reports/report.ts'
import { failed, passed } from '../../reports/sample-run.test-data.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { Baseline } from './baseline-file.ts'
import { judgeGate, verdictAtGate } from './gate.ts'
import { baseline, ids, known, reportOf } from './sample-baseline.test-data.ts'
import { randomSignature } from './signature.ts'

const blocked = (check: string): Outcome => ({ ...passed(check), status: 'blocked', message: 'it could not be done' })
const outOfScope = (check: string): Outcome => ({ ...blocked(check), status: 'out-of-scope' })

function gate(report: Report, listed: Baseline) {
  const knownChecks = report.requirements.flatMap(({ checks }) => checks.map(({ id }) => id))
  return judgeGate(report, listed, '2026-06-15', knownChecks)
}

function kinds(report: Report, listed: Baseline): readonly string[] {
  return gate(report, listed).findings.map(({ kind, check }) => `${kind} ${check}`)
}

function atGate(report: Report, listed: Baseline) {
  return verdictAtGate({ ...report, gate: { baseline: 'known.yaml', ...gate(report, listed) } })
}

describe('the gate', () => {
  test('names a failure that is not listed', () => {
    expect(kinds(reportOf([failed(ids.required)]), baseline())).toEqual([`new-failure ${ids.required}`])
  })

  test('accepts a listed failure that fails as before, with its reason', () => {
    const entry = known(ids.required, { owner: 'core', expires: '2026-06-15' })
    const { findings, excused } = gate(reportOf([failed(ids.required)]), baseline(entry))
    expect(findings).toEqual([])
    const { reason, owner, expires } = entry
    expect(excused).toEqual([{ check: ids.required, reason, owner, expires }])
  })

  test('names a listed check that passes', () => {
    expect(kinds(reportOf([]), baseline(known(ids.required)))).toEqual([`stale ${ids.required}`])
  })

  test('does not call a random failure stale if it passes with another seed', () => {
    const random = known(ids.required, { signature: randomSignature(ids.required) })
    expect(kinds(reportOf([]), baseline(random))).toEqual([])
    expect(kinds(reportOf([]), baseline({ ...random, expires: '2026-06-14' }))).toEqual([`expired ${ids.required}`])
  })

  test('names a listed check that fails in another way', () => {
    const other = { ...failed(ids.required), code: 'server.died' as const }
    expect(kinds(reportOf([other]), baseline(known(ids.required)))).toEqual([`changed ${ids.required}`])
  })

  test('names an expired entry once, with its owner and reason', () => {
    const entry = known(ids.required, { expires: '2026-06-14', owner: 'core' })
    for (const outcome of [
      failed(ids.required),
      { ...failed(ids.required), code: 'server.died' as const },
      blocked(ids.required),
    ]) {
      const { findings, excused } = gate(reportOf([outcome]), baseline(entry))
      const message = 'was accepted until 2026-06-14 (owner: core): next release'
      expect(findings).toEqual([{ kind: 'expired', check: ids.required, message }])
      expect(excused).toEqual([])
    }
  })

  test('names an entry with an unknown check, and the nearest id', () => {
    const { findings } = gate(reportOf([]), baseline(known('CT-1066')))
    expect(findings).toMatchObject([{ kind: 'unknown-check', message: expect.stringContaining('mean `CT-106`?') }])
  })

  test.for([blocked, outOfScope])('does not call an entry stale if its check could not be judged', (outcome) => {
    expect(gate(reportOf([outcome(ids.required)]), baseline(known(ids.required)))).toEqual({
      findings: [],
      excused: [],
    })
  })

  test('considers levels below required only in a strict run', () => {
    expect(kinds(reportOf([failed(ids.lower)]), baseline())).toEqual([])
    expect(kinds(reportOf([failed(ids.lower)], true), baseline())).toEqual([`new-failure ${ids.lower}`])
  })

  test('lists findings in the order of the checks', () => {
    const report = reportOf([failed(ids.other), failed(ids.required)])
    const listed = baseline(known('CT-0'), known(ids.lower), known(ids.required, { signature: 'x' }))
    const order = [`changed ${ids.required}`, `new-failure ${ids.other}`, `stale ${ids.lower}`, 'unknown-check CT-0']
    expect(kinds(report, listed)).toEqual(order)
  })
})

describe('the verdict at the gate', () => {
  test('is conformant when all failures that count are known, and the verdict of the report stays', () => {
    const report = reportOf([failed(ids.required), failed(ids.other)])
    expect(report.verdict).toBe('non-conformant')
    expect(atGate(report, baseline(known(ids.required), known(ids.other)))).toBe('conformant')
    expect(atGate(report, baseline(known(ids.required)))).toBe('non-conformant')
  })

  test('is non-conformant for a finding even if nothing failed', () => {
    expect(reportOf([]).verdict).toBe('conformant')
    expect(atGate(reportOf([]), baseline(known(ids.required)))).toBe('non-conformant')
  })

  test('is incomplete when something else could not be judged', () => {
    const report = reportOf([failed(ids.required), blocked(ids.other)])
    expect(atGate(report, baseline(known(ids.required)))).toBe('incomplete')
  })

  test('is non-conformant for a finding even if something else could not be judged', () => {
    expect(atGate(reportOf([blocked(ids.other)]), baseline(known(ids.required)))).toBe('non-conformant')
  })
})
