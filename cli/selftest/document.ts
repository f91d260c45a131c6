import type { Level } from '../../spec/requirement.ts'
import type { Answers } from '../target/self-test.ts'

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
  readonly findings: readonly Violation[]
  readonly apis: readonly ApiMatrix[]
}

export interface SelftestScope {
  /** Globs for ids of defects and requirements; empty for all. */
  readonly only: readonly string[]
  /** The number of random profiles. */
  readonly profiles: number
  /** The number of defects that were also tried under random profiles. */
  readonly combined: number
  /** Whether each defect was judged only by the requirements that it breaks. */
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
  /** The smallest known set of non-default answers with which it happens. */
  readonly answers: Answers
}

/** The verdict on a defect under the default answers. */
export type Kill = 'killed-by-all' | 'killed-by-some' | 'killed-by-others' | 'survived' | 'hidden'

/** The kill matrix of one API: defect × requirement. Pairs that are not listed passed. */
export interface ApiMatrix {
  readonly name: string
  readonly defects: readonly DefectRow[]
  readonly requirements: readonly RequirementColumn[]
  /** The random profiles, each as its non-default answers. */
  readonly profiles: readonly Answers[]
  /** What users' runs catch, by scope; empty if not tested. */
  readonly detection: readonly Detection[]
}

/** The defects that a run with a limited scope catches under the default answers. */
export interface Detection {
  /** Id of the scope. */
  readonly scope: string
  /** The command that starts such a run. */
  readonly summary: string
  readonly caught: readonly string[]
  /** Defects whose checks are all out of scope, with the reason. */
  readonly beyond: readonly { readonly defect: string; readonly reason: string }[]
  /** Defects for which a check that catches them is in scope but passed. */
  readonly missed: readonly string[]
}

export interface DefectRow {
  readonly id: string
  readonly summary: string
  /** The requirements that it breaks. */
  readonly breaks: readonly string[]
  readonly verdict: Kill
  /** The requirements that failed. */
  readonly killedBy: readonly string[]
  /**
   * Those that failed only when judged alone: the defect shows only in some states of the server, and earlier checks
   * had changed the state.
   */
  readonly killedAlone: readonly string[]
  /** The failed checks of the requirements that it breaks, in the complete run or alone. */
  readonly catchingChecks: readonly string[]
  /** Every failed check, also under other answers, with its failure code and the circumstances. */
  readonly failures: readonly string[]
  /** The requirements that could not be judged because of it. */
  readonly blocked: readonly string[]
  /** The requirements that should have failed but passed. */
  readonly missedBy: readonly string[]
  /** The requirements that cannot catch it under the default answers. */
  readonly hiddenFrom: readonly string[]
  /** The same defect under random answers; null if not tested. */
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
  /** The defects that declare that they break it. */
  readonly brokenBy: readonly string[]
  /** Those that it caught. */
  readonly caught: readonly string[]
  /** The defects that made it fail although they do not declare it. */
  readonly alsoRed: readonly string[]
  /** The number of profiles in which it failed or was not judged without a defect. */
  readonly falseAlarms: number
  /** Whether no defect that declares it made it fail. */
  readonly unproven: boolean
}
