import type { Level } from '../../spec/requirement.ts'
import type { Answers } from './api.ts'

/** How the laws were tested and what came of it, as `selftest.json` holds it. Described by `selftest.schema.json`. */
export interface Selftest {
  readonly schema: 'copytrade-tck/selftest@1'
  readonly kit: { readonly name: string; readonly version: string; readonly requirementsVersion: string }
  readonly seed: number
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly scope: SelftestScope
  /** Whether every law holds. */
  readonly passed: boolean
  /** Everything that breaks a law. */
  readonly findings: readonly Finding[]
  readonly apis: readonly ApiMatrix[]
}

export interface SelftestScope {
  /** Globs over ids of defects and requirements; empty for all. */
  readonly only: readonly string[]
  /** How many random profiles. */
  readonly profiles: number
  /** How many defects were also tried under random profiles. */
  readonly combined: number
  /** Whether each defect was judged by the requirements that it names alone. */
  readonly quick: boolean
}

/** The law that is broken: 1 no false alarm, 2 no blind spot, 3 no toothless check, 4 a twin is exact. */
export type Law = 1 | 2 | 3 | 4

export interface Finding {
  readonly law: Law
  /**
   * A check that is red without a defect, a defect that a requirement which it breaks does not
   * notice, an excuse (`hiddenBy`) for a defect that is caught all the same, a requirement that no
   * defect makes red, an observation that saw another answer than the one given, a check that broke.
   */
  readonly kind: 'false-alarm' | 'blind-spot' | 'stale-excuse' | 'toothless' | 'wrong-observation' | 'error'
  /** What is wrong, as a sentence. */
  readonly sentence: string
  readonly defect: string | null
  readonly requirement: string | null
  readonly check: string | null
  /** The answers under which it shows, the default ones left out; as few as were found to do. */
  readonly answers: Answers
}

/** What became of a defect under the default answers. */
export type Kill = 'killed-by-all' | 'killed-by-some' | 'killed-by-others' | 'survived' | 'hidden'

/** The kill matrix of one API: defect × requirement. A pair that is not listed was green. */
export interface ApiMatrix {
  readonly name: string
  readonly defects: readonly DefectRow[]
  readonly requirements: readonly RequirementColumn[]
  /** The random profiles, each by the answers that are not the default. */
  readonly profiles: readonly Answers[]
}

export interface DefectRow {
  readonly id: string
  readonly summary: string
  /** The requirements that it names. */
  readonly breaks: readonly string[]
  readonly verdict: Kill
  /** The requirements that were red. */
  readonly killedBy: readonly string[]
  /**
   * Those of them that it took a server of their own: the defect shows in some state of a server only,
   * and in the whole run the checks before had brought it beyond that.
   */
  readonly killedAlone: readonly string[]
  /** The requirements that could not be judged because of it. */
  readonly blocked: readonly string[]
  /** The named requirements that were not red though they should have been. */
  readonly missedBy: readonly string[]
  /** The named requirements that cannot notice it under the default answers. */
  readonly hiddenFrom: readonly string[]
  /** The same defect under random answers; null where it was not tried. */
  readonly combined: CombinedRow | null
}

export interface CombinedRow {
  /** Position in `profiles`. */
  readonly profile: number
  readonly killedBy: readonly string[]
  readonly missedBy: readonly string[]
  readonly hiddenFrom: readonly string[]
}

export interface RequirementColumn {
  readonly id: string
  readonly clause: string
  readonly level: Level
  readonly statement: string
  /** The defects that say they break it. */
  readonly brokenBy: readonly string[]
  /** Those of them that it caught. */
  readonly caught: readonly string[]
  /** The defects that made it red without naming it. */
  readonly alsoRed: readonly string[]
  /** In how many profiles it was red, or not judged, without a defect. */
  readonly falseAlarms: number
  /** Whether no defect that names it made it red. */
  readonly toothless: boolean
}
