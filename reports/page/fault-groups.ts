import { failures } from '../phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from '../report.ts'
import { reproductionScript } from '../reproduction-script.ts'
import { listShiftOf } from './list-shift.ts'

/** Failed requirements that the same fault explains. */
export interface FaultGroup {
  /** Ids of the defects; empty for failures that no known fault explains. */
  readonly defects: readonly string[]
  /** What each of them does, as a sentence. */
  readonly summaries: readonly string[]
  readonly requirements: readonly ReportedRequirement[]
}

/** Those that the best diagnosis explains come first. In a group those that decide the verdict come first. */
export function faultGroups(report: Report): readonly FaultGroup[] {
  const { counting, findings } = failures(report)
  const failed = [...counting, ...findings]
  const explained = failed.filter((requirement) => failedChecks(requirement).some(({ explainedBy }) => explainedBy))
  const rest = failed.filter((requirement) => !explained.includes(requirement))
  const { defects = [], summaries = [] } = report.diagnosis[0] ?? {}
  return [
    { defects, summaries, requirements: explained },
    { defects: [], summaries: [], requirements: rest },
  ].filter(({ requirements }) => requirements.length > 0)
}

export function failedChecks({ checks }: ReportedRequirement): readonly ReportedCheck[] {
  return checks.filter(({ status }) => status === 'failed')
}

/** The failure that shows the fault of a group best: before and after in a picture, a script that judges, few steps. */
export function exampleOf({ requirements }: FaultGroup): ReportedCheck | undefined {
  const rank = (check: ReportedCheck) => {
    const script = reproductionScript(check) ?? ''
    const titles = listShiftOf(check)?.titles
    const picture = titles === undefined ? 2 : titles[0] === 'Before' ? 0 : 1
    return [picture, script.startsWith('#!') ? 0 : 1, script.length]
  }
  const ranked = requirements.flatMap(failedChecks).map((check) => ({ check, rank: rank(check) }))
  const byRank = (one: readonly number[], other: readonly number[]) =>
    one.map((value, at) => value - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
  return ranked.toSorted((one, other) => byRank(one.rank, other.rank))[0]?.check
}
