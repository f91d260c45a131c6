/** Answers to silent questions under which a defect does not show. */
export interface MaskOf<Answers, RequirementId extends string> {
  readonly answers: Answers
  /** The requirements that do not notice it then; all that it breaks if left out. */
  readonly from?: readonly RequirementId[]
}

/** One way in which a server can be wrong. */
export interface DefectOf<Answers, RequirementId extends string, Override> {
  /** Permanent name, e.g. `delete.moves-last-into-hole`. */
  readonly id: string
  /** The requirements that a server with this defect does not meet. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]]
  /** How the server is wrong, in one plain sentence. */
  readonly summary: string
  /** Where a silent choice has the request that would show it refused, or makes it no defect. */
  readonly maskedBy?: readonly MaskOf<Answers, RequirementId>[]
  /**
   * Replaces the seams that make the server wrong. What such a server remembers from one request to
   * the next lives in a closure made here, so that each simulator has its own.
   */
  readonly override: Override
}
