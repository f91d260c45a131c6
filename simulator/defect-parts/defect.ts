/** Profile answers that mask a defect: with them it cannot be observed. */
export interface MaskOf<Answers, RequirementId extends string> {
  readonly answers: Answers
  /** The requirements whose checks then pass. Default: all that the defect breaks. */
  readonly from?: readonly RequirementId[]
}

/** One way in which a server can be wrong. */
export interface DefectOf<Answers, RequirementId extends string, Override> {
  /** Permanent name, e.g. `delete.moves-last-into-gap`. */
  readonly id: string
  /** The requirements that a server with this defect does not meet. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]]
  /** How the server is wrong, in one plain sentence. */
  readonly summary: string
  /** Profile answers that mask the defect: the request that would show it is rejected, or the behaviour is correct. */
  readonly maskedBy?: readonly MaskOf<Answers, RequirementId>[]
  /**
   * Replaces the hooks that make the server wrong. State between requests lives in a closure made here, so that each
   * simulator has its own.
   */
  readonly override: Override
}
