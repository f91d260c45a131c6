import type { Level } from '../../spec/requirement.ts'
import type { Answers } from '../target/trials.ts'

/** The result of a self-test, as in `selftest.json`. `selftest.schema.json` describes it. */
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
  /** The violations of the laws. */
  readonly findings: readonly Violation[]
  readonly apis: readonly ApiMatrix[]
}

export interface SelftestScope {
  /** Globs over ids of defects and requirements; empty for all. */
  readonly only: readonly string[]
  /** The number of random profiles. */
  readonly profiles: number
  /** The number of defects that were also tried under random profiles. */
  readonly combined: number
  /** Whether each defect was judged only by the requirements that it names. */
  readonly quick: boolean
}

/** The violated law: 1 no false alarm, 2 no blind spot, 3 no unproven check, 4 a twin is exact. */
export type Law = 1 | 2 | 3 | 4

export interface Violation {
  readonly law: Law
  /**
   * A check that fails without a defect; a requirement that does not catch a defect which breaks it;
   * a mask (`maskedBy`) of a defect that is caught anyway; a requirement that no defect makes fail;
   * an observation of another answer than the configured one; a check that ends in an internal error.
   */
  readonly kind: 'false-alarm' | 'blind-spot' | 'stale-excuse' | 'unproven' | 'wrong-observation' | 'error'
  /** The violation as a sentence. */
  readonly sentence: string
  readonly defect: string | null
  readonly requirement: string | null
  readonly check: string | null
  /** The fewest known answers under which it happens, without the default ones. */
  readonly answers: Answers
}

/** The verdict on a defect under the default answers. */
export type Kill = 'killed-by-all' | 'killed-by-some' | 'killed-by-others' | 'survived' | 'hidden'

/** The kill matrix of one API: defect × requirement. A pair that is not listed passed. */
export interface ApiMatrix {
  readonly name: string
  readonly defects: readonly DefectRow[]
  readonly requirements: readonly RequirementColumn[]
  /** The random profiles, each by the answers that are not the default. */
  readonly profiles: readonly Answers[]
  /** What runs of users catch, by scope; empty where it was not tried. */
  readonly detection: readonly Detection[]
}

/** The defects that a run with a limited scope catches, under the default answers. */
export interface Detection {
  /** Id of the scope. */
  readonly scope: string
  /** How such a run is started. */
  readonly summary: string
  readonly caught: readonly string[]
  /** Every check that catches the defect is out of scope, for this reason. */
  readonly beyond: readonly { readonly defect: string; readonly reason: string }[]
  /** A check that catches the defect is in scope, and passed. */
  readonly missed: readonly string[]
}

export interface DefectRow {
  readonly id: string
  readonly summary: string
  /** The requirements that it names. */
  readonly breaks: readonly string[]
  readonly verdict: Kill
  /** The requirements that failed. */
  readonly killedBy: readonly string[]
  /**
   * Those of them that failed only on a server of their own: the defect shows only in some states, and
   * in the complete run earlier checks had changed the state.
   */
  readonly killedAlone: readonly string[]
  /** The checks of the requirements that it names which failed, in the complete run or on a server of their own. */
  readonly catchingChecks: readonly string[]
  /** Every check that failed, also under other answers, with its failure code and the circumstances. */
  readonly failures: readonly string[]
  /** The requirements that could not be judged because of it. */
  readonly blocked: readonly string[]
  /** The named requirements that should have failed, but passed. */
  readonly missedBy: readonly string[]
  /** The named requirements that cannot catch it under the default answers. */
  readonly hiddenFrom: readonly string[]
  /** The same defect under random answers; null where it was not tried. */
  readonly combined: CombinedRow | null
}

export interface CombinedRow extends Pick<DefectRow, 'killedBy' | 'missedBy' | 'hiddenFrom'> {
  /** Position in `profiles`. */
  readonly profile: number
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
  /** The defects that made it fail without naming it. */
  readonly alsoRed: readonly string[]
  /** The number of profiles in which it failed, or was not judged, without a defect. */
  readonly falseAlarms: number
  /** Whether it is unproven: no defect that names it made it fail. */
  readonly unproven: boolean
}
