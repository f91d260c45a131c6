import type { Report, ReportedCheck } from '../../reports/report.ts'
import { type Baseline, baselineSchema, type KnownFailure } from './baseline-file.ts'
import { signatureOf } from './diff.ts'
import { countingFailures } from './judge-gate.ts'

/**
 * A baseline of the failures in a report, with empty reasons. Entries of an earlier baseline stay if their check fails
 * as before or could not be judged.
 */
export function baselineOf(report: Report, earlier: Baseline | null): Baseline {
  const known = new Map((earlier?.knownFailures ?? []).map((entry) => [entry.check, entry]))
  const failing = new Map(countingFailures(report).map((check) => [check.id, check]))
  const entries = report.requirements.flatMap(({ checks }) =>
    checks.flatMap((check): KnownFailure[] => {
      const entry = known.get(check.id)
      if (failing.has(check.id)) return [describe(check, entry)]
      return entry !== undefined && check.status !== 'passed' ? [entry] : []
    }),
  )
  return { schema: baselineSchema, knownFailures: entries }
}

function describe(check: ReportedCheck, entry: KnownFailure | undefined): KnownFailure {
  const signature = signatureOf(check)
  if (entry?.signature === signature) return entry
  return { check: check.id, reason: '', signature, owner: null, expires: null }
}
