import type { MutationOf } from './mutations.ts'

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

/**
 * Functions that make the tables of defects for one API. `observe` wraps the hooks of a simulator to note in `known`
 * what it has seen, after what it has noted `before` for another simulator of the same server.
 */
export function rowsOf<Answers, RequirementId extends string, Hooks extends object, Known>(
  observe: (hooks: Hooks, before?: Known) => { readonly seeing: Partial<Hooks>; readonly known: Known },
) {
  type Override = (hooks: Hooks, server?: object) => Partial<Hooks>
  type Mutation = MutationOf<Hooks, Known>
  type Defect = DefectOf<Answers, RequirementId, Override>
  type Breaks = RequirementId | Defect['breaks']
  /** The answers that mask a defect: those of one mask, or several masks. */
  type Masks = Answers | readonly MaskOf<Answers, RequirementId>[]
  type Masked = { readonly mutation: Wrong; readonly maskedBy: Defect['maskedBy'] }
  /** A mutation, or a function that returns it: for its state, or to write it below a long summary. */
  type Wrong = (...given: Parameters<Mutation>) => Partial<Hooks> | Mutation
  type Table<Row> = Readonly<Record<string, Row | Masked>>

  const masksOf = (by: Masks) => (Array.isArray(by) ? by : [{ answers: by as Answers }])
  const isMasked = (row: unknown): row is Masked => row instanceof Object && 'maskedBy' in row

  const overrideOf = (mutation: Wrong): Override => {
    const knownOf = new WeakMap<object, Known>()
    return (hooks, server = hooks) => {
      const { seeing, known } = observe(hooks, knownOf.get(server))
      knownOf.set(server, known)
      const right = { ...hooks, ...seeing, known }
      const wrong = mutation(right)
      return { ...seeing, ...(wrong instanceof Function ? wrong(right) : wrong) }
    }
  }

  /**
   * Defects that break the same requirements. Each row has an id, a one-sentence summary and a mutation, or what
   * `mutationOf` makes one of.
   */
  function rows(breaks: Breaks, table: Table<Wrong>): readonly Defect[]
  function rows<Row>(breaks: Breaks, mutationOf: (row: Row) => Mutation, table: Table<Row>): readonly Defect[]
  function rows<Row>(breaks: Breaks, ...given: [Table<Wrong>] | [(row: Row) => Mutation, Table<Row>]) {
    const [mutationOf, table] = given.length === 1 ? [(row: Row) => row as Wrong, given[0] as Table<Row>] : given
    return Object.entries(table).map(([name, row]) => {
      const [id = '', ...summary] = name.split(' ')
      return {
        id,
        breaks: typeof breaks === 'string' ? [breaks] : breaks,
        summary: summary.join(' '),
        override: overrideOf(isMasked(row) ? row.mutation : mutationOf(row)),
        ...(isMasked(row) && { maskedBy: row.maskedBy }),
      } as Defect
    })
  }

  /** Defects with profile answers that mask them, except those that have masks of their own. */
  const maskedByDefault = (by: Masks, defects: readonly Defect[]): readonly Defect[] =>
    defects.map((defect) => ({ maskedBy: masksOf(by), ...defect }))

  return {
    overrideOf,
    rows,
    maskedByDefault,
    /** The same for rows that break the same requirements. */
    maskedRows: (by: Masks, breaks: Breaks, table: Table<Wrong>) => maskedByDefault(by, rows(breaks, table)),
    /** Adds to a row the profile answers that mask it. */
    masked:
      (by: Masks) =>
      (mutation: Wrong): Masked => ({ mutation, maskedBy: masksOf(by) }),
  }
}
