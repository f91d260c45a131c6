import { buildReport, type RunRecord } from '../../reports/document.ts'
import type { Report } from '../../reports/report.ts'
import { failed, passed, sampleRun } from '../../reports/sample-run.test-data.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { type Baseline, baselineSchema, type KnownFailure } from './baseline-file.ts'
import { signatureOf } from './signature.ts'

/** Required, required, and of a lower level: see the sample requirements. */
export const ids = { required: 'CT-106', other: 'CT-107', lower: 'CT-120' } as const

/** A report in which every check passes except for these outcomes. */
export function reportOf(changes: readonly Outcome[], strict = false, others: Partial<RunRecord> = {}): Report {
  const { checks, scope } = sampleRun()
  const changed = new Map(changes.map((outcome) => [outcome.check, outcome]))
  const outcomes = checks.flatMap(({ id, question }) => changed.get(id) ?? (question === undefined ? passed(id) : []))
  return buildReport(sampleRun(1, { outcomes, scope: { ...scope, strict }, ...others }))
}

/** The known failure that matches a check failed by `failed`. */
export function known(check: string, changes: Partial<KnownFailure> = {}): KnownFailure {
  const { code, data } = failed(check)
  const signature = signatureOf({ id: check, code, data })
  return { check, reason: 'next release', signature, ...changes }
}

export function baseline(...knownFailures: readonly KnownFailure[]): Baseline {
  return { schema: baselineSchema, knownFailures: [...knownFailures] }
}
