/** A point that the specification leaves open, with the answers that a server may give. */
export interface Question {
  /** Permanent name, e.g. `plugin.auth.before-path`. */
  readonly id: string
  /** The clause that leaves the point open, e.g. `4.2`. */
  readonly clause: string
  readonly question: string
  /** The meaning of each answer, by answer id: a short clause that completes the question. */
  readonly answers: Readonly<Record<string, string>>
  /** The simulator's answer unless a profile chooses another; an id in `answers`. */
  readonly default: string
  /** Why the answer matters to a client, an operator or a trader, in one sentence. */
  readonly why: string
}
