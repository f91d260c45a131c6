import { plural } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import { visibleLine } from '../../reports/visible.ts'
import { exitCode } from '../exit-code.ts'
import { type Change, type ChangeKind, changeKinds } from './change.ts'
import { changesBetween, differencesOfRuns } from './changes.ts'

/** A report as it is compared. */
export interface Version {
  /** The path as it was given, or the name of an install. */
  readonly name: string
  readonly report: Report
}

/** What differs between two reports. It does not hold them: a fleet has many. */
export interface Comparison {
  /** That of the new report. */
  readonly name: string
  /** The old and the new report, each on one line. */
  readonly before: string
  readonly now: string
  /** What the two runs did differently, one sentence each. */
  readonly differencesOfRuns: readonly string[]
  readonly changes: readonly Change[]
}

/** What differs between two reports. */
export function compareVersions(old: Version, fresh: Version): Comparison {
  return {
    name: fresh.name,
    before: versionText(old),
    now: versionText(fresh),
    differencesOfRuns: differencesOfRuns(old.report, fresh.report),
    changes: changesBetween(old.report, fresh.report),
  }
}

/** The name of a report and what was judged. */
function versionText({ name, report: { target, verdict, startedAt } }: Version): string {
  const plugin = target.plugin === null ? '' : `, ${target.plugin.name} ${target.plugin.version}`
  return visibleLine(`${name}: ${verdict}${plugin}, ${startedAt}`)
}

/** The first report and each further one with what differs, in the order of the columns of a matrix. */
export function columnsOf(comparisons: readonly Comparison[]): readonly string[] {
  const [first] = comparisons
  if (first === undefined) return []
  return [first.before, ...comparisons.map(({ now, changes }) => `${now}: ${countsOf(changes)}`)]
}

/** The numbers of a comparison: `2 regressions, 1 fix`. */
export function countsOf(changes: readonly Change[]): string {
  const counts = groupedByKind(changes).map(([kind, { length }]) =>
    plural(length, changeKinds[kind].one, changeKinds[kind].several),
  )
  return counts.length === 0 ? 'no change' : counts.join(', ')
}

/** The changes under their kinds, without the kinds that have none. */
export function groupedByKind(changes: readonly Change[]): readonly (readonly [ChangeKind, readonly Change[]])[] {
  const kinds = Object.keys(changeKinds) as ChangeKind[]
  return kinds
    .map((kind) => [kind, changes.filter((change) => change.kind === kind)] as const)
    .filter(([, found]) => found.length > 0)
}

/** 1 for a regression, otherwise 3 if a check can no longer be judged, which may hide one. */
export function exitCodeOf(changes: readonly Pick<Change, 'kind'>[]): number {
  const has = (kind: ChangeKind) => changes.some((change) => change.kind === kind)
  if (has('regression')) return exitCode.nonConformant
  return has('unjudged') ? exitCode.incomplete : exitCode.conformant
}
