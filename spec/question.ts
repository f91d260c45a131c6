/** A point on which the specification is silent, and the answers that a server may give. */
export interface Question {
  /** Permanent name, e.g. `plugin.auth.before-path`. */
  readonly id: string
  /** The clause of the specification that leaves it open, e.g. `4.2`. */
  readonly clause: string
  readonly question: string
  /** Answer id to what the answer means, in one sentence. */
  readonly answers: Readonly<Record<string, string>>
  /** The answer of the simulator when nobody says otherwise; one of `answers`. */
  readonly default: string
  /** Why a client or a trader would care. */
  readonly why: string
}
