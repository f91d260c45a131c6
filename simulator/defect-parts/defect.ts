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

/** Functions that make the tables of defects for one API. */
export function rowsOf<Answers, RequirementId extends string, Override extends (hooks: never) => unknown>() {
  type Defect = DefectOf<Answers, RequirementId, Override>
  type Breaks = RequirementId | Defect['breaks']
  /** The answers that mask a defect: those of one mask, or several masks. */
  type Masks = Answers | readonly MaskOf<Answers, RequirementId>[]
  type Masked = Required<Pick<Defect, 'override' | 'maskedBy'>>
  type Table<Row> = Readonly<Record<string, Row | Masked>>

  const masksOf = (by: Masks) => (Array.isArray(by) ? by : [{ answers: by as Answers }])
  const isMasked = (row: unknown): row is Masked => row instanceof Object && 'maskedBy' in row

  /**
   * Defects that break the same requirements. Each row has an id, a one-sentence summary and an override, or what
   * `mutation` makes one of.
   */
  function rows(breaks: Breaks, table: Table<Override>): readonly Defect[]
  function rows<Row>(breaks: Breaks, mutation: (row: Row) => Override, table: Table<Row>): readonly Defect[]
  function rows<Row>(breaks: Breaks, ...given: [Table<Override>] | [(row: Row) => Override, Table<Row>]) {
    const [mutation, table] = given.length === 1 ? [(row: Row) => row, given[0] as Table<Row>] : given
    return Object.entries(table).map(([name, row]) => {
      const [id = '', ...summary] = name.split(' ')
      return {
        id,
        breaks: typeof breaks === 'string' ? [breaks] : breaks,
        summary: summary.join(' '),
        ...(isMasked(row) ? row : { override: mutation(row) }),
      } as Defect
    })
  }

  /** Defects with profile answers that mask them, except those that have masks of their own. */
  const maskedByDefault = (by: Masks, defects: readonly Defect[]): readonly Defect[] =>
    defects.map((defect) => ({ maskedBy: masksOf(by), ...defect }))

  return {
    rows,
    maskedByDefault,
    /** The same for rows that break the same requirements. */
    maskedRows: (by: Masks, breaks: Breaks, table: Table<Override>) => maskedByDefault(by, rows(breaks, table)),
    /** Adds to a row the profile answers that mask it. */
    masked: (override: Override, by: Masks): Masked => ({ override, maskedBy: masksOf(by) }),
  }
}
