import { canShowFailure } from '../../suites/runner/outcome.ts'
import { confirmedFaults, failures } from '../phrases.ts'
import type { Diagnosis, Report, ReportedCheck, ReportedRequirement } from '../report.ts'
import { listShiftOf } from './list-shift.ts'

/** Failed requirements that the same fault explains. */
export interface FaultGroup {
  /** The confirmed fault; null for unexplained failures. */
  readonly fault: Diagnosis | null
  readonly requirements: readonly ReportedRequirement[]
}

/** Groups requirements by the fault that explains their first failure. Those that decide the verdict come first. */
export function faultGroups(report: Report): readonly FaultGroup[] {
  const { counting, findings } = failures(report)
  const failed = [...counting, ...findings]
  const nameOf = (requirement: ReportedRequirement) =>
    failedChecks(requirement).flatMap(({ explainedBy = [] }) => explainedBy)[0]
  return [...confirmedFaults(report), null]
    .map((fault) => ({ fault, requirements: failed.filter((one) => nameOf(one) === fault?.defects[0]) }))
    .filter(({ requirements }) => requirements.length > 0)
}

export function failedChecks({ checks }: ReportedRequirement): readonly ReportedCheck[] {
  return checks.filter(({ status }) => status === 'failed')
}

/** The failure that shows the fault of a group best: with a picture, with a script that judges, with few steps. */
export function exampleOf({ requirements }: FaultGroup): ReportedCheck | undefined {
  const rank = (check: ReportedCheck) => {
    const { script = '' } = check
    const titles = listShiftOf(check)?.titles
    const picture = titles === undefined ? 2 : titles[0] === 'Before' ? 0 : 1
    return [picture, canShowFailure(script) ? 0 : 1, script.length]
  }
  const ranked = requirements.flatMap(failedChecks).map((check) => ({ check, rank: rank(check) }))
  const byRank = (one: readonly number[], other: readonly number[]) =>
    one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
  return ranked.toSorted((one, other) => byRank(one.rank, other.rank))[0]?.check
}
