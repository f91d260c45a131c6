import { failedChecks, failures } from '../../reports/phrases.ts'
import type { Report, ReportedCheck } from '../../reports/report.ts'
import type { Status } from '../../suites/runner/outcome.ts'
import { signatureOf } from './signature.ts'

interface CheckOutcome {
  readonly status: Status
  /** Null unless it failed. */
  readonly signature: string | null
}

/** The outcomes of checks by their ids: of a run, or of the known failures in a baseline. */
export type Outcomes = ReadonlyMap<string, CheckOutcome>

export type OutcomeChange = 'regression' | 'new-failure' | 'changed-failure' | 'unjudged' | 'not-run' | 'fix'

export function outcomesOf(checks: Iterable<ReportedCheck>): Outcomes {
  return new Map(
    Array.from(checks, (check) => {
      const signature = check.status === 'failed' ? signatureOf(check) : null
      return [check.id, { status: check.status, signature }]
    }),
  )
}

/** The checks whose outcome changed, and how. Texts for people are not compared. */
export function diffOutcomes(before: Outcomes, after: Outcomes): ReadonlyMap<string, OutcomeChange> {
  const ids = new Set([...after.keys(), ...before.keys()])
  const changes = Array.from(ids, (id) => [id, changeOf(before.get(id), after.get(id))] as const)
  return new Map(changes.flatMap(([id, change]) => (change === null ? [] : [[id, change]])))
}

function changeOf(before: CheckOutcome | undefined, after: CheckOutcome | undefined): OutcomeChange | null {
  if (after?.status === 'failed') {
    if (before?.status === 'passed') return 'regression'
    if (before?.status !== 'failed') return 'new-failure'
    return before.signature === after.signature ? null : 'changed-failure'
  }
  if (before?.status !== 'passed' && before?.status !== 'failed') return null
  if (after?.status === 'passed') return before.status === 'failed' ? 'fix' : null
  return after?.status === 'blocked' || after?.status === 'error' ? 'unjudged' : 'not-run'
}

/** Failed checks of the levels that decide the verdict. */
export function countingFailures(report: Report): readonly ReportedCheck[] {
  return failures(report).counting.flatMap(failedChecks)
}
