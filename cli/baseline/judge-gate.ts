import { levelCounts } from '../../reports/phrases.ts'
import type {
  BaselineDeviation,
  GateRecord,
  KnownFailureRecord,
  Report,
  ReportedCheck,
  Verdict,
} from '../../reports/report.ts'
import { judgeEvidence, requirementStatus } from '../../reports/verdict.ts'
import { nearest } from '../../simulator/documents/nearest.ts'
import type { Baseline, KnownFailure } from './baseline-file.ts'
import { diffOutcomes, type OutcomeChange, outcomesOf, randomSignature, signatureOf } from './diff.ts'

export interface GateInput {
  readonly report: Report
  readonly baseline: Baseline
  /** `YYYY-MM-DD`, UTC. */
  readonly today: string
  /** Ids of all checks that can fail. */
  readonly knownChecks: readonly string[]
}

/** Compares the failures of a run with the known ones. The findings are in the order of the checks, entries without one last. */
export function judgeGate({
  report,
  baseline,
  today,
  knownChecks,
}: GateInput): Pick<GateRecord, 'findings' | 'excused'> {
  const checks = new Map(report.requirements.flatMap((one) => one.checks).map((check) => [check.id, check]))
  const entries = new Map(baseline.knownFailures.map((entry) => [entry.check, entry]))
  const known = new Map(
    baseline.knownFailures.map(({ check, signature }) => [check, { status: 'failed' as const, signature }]),
  )
  const changes = diffOutcomes(known, outcomesOf(checks.values()))
  const counting = new Set(countingFailures(report).map(({ id }) => id))
  const judged = [...new Set([...checks.keys(), ...entries.keys()])].map((id) => {
    const [check, entry] = [checks.get(id), entries.get(id)]
    if (entry === undefined) {
      const message = `fails and is not a known failure: ${check?.message}`
      return { finding: counting.has(id) ? { kind: 'new-failure' as const, check: id, message } : null }
    }
    if (!knownChecks.includes(id)) {
      const message = `is not a check of this kit; did you mean ${nearest(id, knownChecks)}?`
      return { finding: { kind: 'unknown-check' as const, check: id, message } }
    }
    const finding = findingAbout(entry, check, changes.get(id) ?? null, today)
    return { finding, excused: check?.status === 'failed' && finding === null ? entry : undefined }
  })
  return {
    findings: judged.flatMap(({ finding }) => finding ?? []),
    excused: judged.flatMap(({ excused }) => {
      if (excused === undefined) return []
      const { signature: _, ...known } = excused
      return known
    }),
  }
}

/** Failed checks of the levels that decide the verdict, in the order of the report. */
export function countingFailures({ requirements, scope }: Report): readonly ReportedCheck[] {
  return requirements
    .filter(({ level }) => levelCounts(level, scope.strict))
    .flatMap(({ checks }) => checks.filter(({ status }) => status === 'failed'))
}

/** The verdict of a run. With a baseline, known failures do not count. */
export function verdictAtGate(report: Report): Verdict {
  if (!report.gate || report.verdict === 'incomplete') return report.verdict
  return report.gate.findings.length > 0 ? 'non-conformant' : verdictApartFrom(report.gate.excused, report)
}

/** The verdict without the known failures. Checks that could not be judged still make it incomplete. */
function verdictApartFrom(excused: readonly KnownFailureRecord[], report: Report): Verdict {
  const ids = new Set(excused.map(({ check }) => check))
  const requirements = report.requirements.map((requirement) => {
    const checks = requirement.checks.map((check) =>
      check.status === 'failed' && ids.has(check.id) ? { ...check, status: 'passed' as const } : check,
    )
    return { ...requirement, checks, status: requirementStatus(checks) }
  })
  return judgeEvidence({ ...report, requirements }).verdict
}

function findingAbout(
  entry: KnownFailure,
  check: ReportedCheck | undefined,
  change: OutcomeChange | null,
  today: string,
): BaselineDeviation | null {
  const about = (kind: BaselineDeviation['kind'], message: string) => ({ kind, check: entry.check, message })
  // A random failure can pass with another seed.
  if (change === 'fix' && entry.signature !== randomSignature(entry.check)) {
    return about('stale', 'is listed as a known failure and passes: remove its entry')
  }
  if (entry.expires !== null && entry.expires < today) {
    const owner = entry.owner === null ? '' : ` (owner: ${entry.owner})`
    return about('expired', `was accepted until ${entry.expires}${owner}: ${entry.reason}`)
  }
  if (change !== 'changed-failure' || check === undefined) return null
  const signatures = `signature ${signatureOf(check)}, recorded ${entry.signature}`
  return about('changed', `fails in another way than the known one (${signatures}): ${check.message}`)
}
