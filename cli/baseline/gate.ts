import type { BaselineDeviation, KnownFailureRecord, Report, Verdict } from '../../reports/report.ts'
import { judgeEvidence, requirementStatus } from '../../reports/verdict.ts'
import { didYouMean } from '../../simulator/documents/nearest.ts'
import { platformChecks } from '../../suites/checks/platform/all.ts'
import { pluginChecks } from '../../suites/checks/plugin/all.ts'
import type { Baseline } from './baseline-file.ts'
import { countingFailures, diffOutcomes, outcomesOf } from './diff.ts'
import { randomSignature, signatureOf } from './signature.ts'

/** The ids of all checks that can fail. */
export const checkIds: readonly string[] = [...pluginChecks, ...platformChecks].map(({ id }) => id)

/**
 * Reads the baseline before anything is sent. `applyBaseline` adds the comparison with its known failures, of the checks
 * `known`, to a report. Without a baseline, reports are not changed. @throws {UsageError}
 */
export async function openGate(path: string | null) {
  if (path === null) return { known: [], applyBaseline: (report: Report) => report }
  const { readBaseline } = await import('./baseline-file.ts')
  const baseline = readBaseline(path)
  return {
    known: baseline.knownFailures.map(({ check }) => check),
    applyBaseline(report: Report): Report {
      const today = new Date().toISOString().slice(0, 10)
      return { ...report, gate: { baseline: path, ...judgeGate(report, baseline, today, checkIds) } }
    },
  }
}

/**
 * Compares the failures of a run with the known ones, in the order of the checks, entries without a check last. `today`
 * is `YYYY-MM-DD`, UTC; `knownChecks` are the ids of all checks that can fail.
 */
export function judgeGate(report: Report, baseline: Baseline, today: string, knownChecks: readonly string[]) {
  const checks = new Map(report.requirements.flatMap((one) => one.checks).map((check) => [check.id, check]))
  const entries = new Map(baseline.knownFailures.map((entry) => [entry.check, entry]))
  const known = Array.from(entries, ([id, { signature }]) => [id, { status: 'failed', signature }] as const)
  const changes = diffOutcomes(new Map(known), outcomesOf(checks.values()))
  const counting = new Set(countingFailures(report).map(({ id }) => id))
  const deviationOf = (id: string): readonly [kind: BaselineDeviation['kind'], message: string] | null => {
    const [check, entry, change] = [checks.get(id), entries.get(id), changes.get(id)]
    if (entry === undefined) {
      return counting.has(id) ? ['new-failure', `fails and is not a known failure: ${check?.message}`] : null
    }
    if (!knownChecks.includes(id)) {
      return ['unknown-check', `is not a check of this kit.${didYouMean(id, knownChecks, '`')}`]
    }
    // A random failure can pass with another seed.
    if (change === 'fix' && entry.signature !== randomSignature(id)) {
      return ['stale', 'is listed as a known failure and passes: remove its entry']
    }
    if (entry.expires !== undefined && entry.expires < today) {
      const owner = entry.owner === undefined ? '' : ` (owner: ${entry.owner})`
      return ['expired', `was accepted until ${entry.expires}${owner}: ${entry.reason}`]
    }
    if (change !== 'changed-failure' || check === undefined) return null
    const signatures = `signature ${signatureOf(check)}, recorded ${entry.signature}`
    return ['changed', `fails in another way than the known one (${signatures}): ${check.message}`]
  }
  const findings: BaselineDeviation[] = []
  const excused: KnownFailureRecord[] = []
  for (const id of new Set([...checks.keys(), ...entries.keys()])) {
    const [kind, message = ''] = deviationOf(id) ?? []
    const entry = entries.get(id)
    if (kind !== undefined) findings.push({ kind, check: id, message })
    else if (entry !== undefined && checks.get(id)?.status === 'failed') {
      const { reason, owner = null, expires = null } = entry
      excused.push({ check: id, reason, owner, expires })
    }
  }
  return { findings, excused }
}

/** The verdict of a run. With a baseline, known failures do not count. */
export function verdictAtGate(report: Report): Verdict {
  if (!report.gate) return report.verdict
  if (report.gate.findings.length > 0) return 'non-conformant'
  return report.verdict === 'incomplete' ? 'incomplete' : verdictApartFrom(report.gate.excused, report)
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
