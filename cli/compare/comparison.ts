import { plural } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import { exitCode } from '../exit-code.ts'
import { type Change, type ChangeKind, changeKinds } from './change.ts'
import { changesBetween, differencesOfRuns } from './changes.ts'

/** A report as it is compared. */
export interface Version {
  /** The path as it was given, or the name of an install. */
  readonly name: string
  readonly report: Report
}

/** Two reports and what differs. */
export interface Comparison {
  readonly old: Version
  readonly fresh: Version
  /** What the two runs did differently, one sentence each. */
  readonly differencesOfRuns: readonly string[]
  readonly changes: readonly Change[]
}

/** What differs between two reports. */
export function compareVersions(old: Version, fresh: Version): Comparison {
  return {
    old,
    fresh,
    differencesOfRuns: differencesOfRuns(old.report, fresh.report),
    changes: changesBetween(old.report, fresh.report),
  }
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
