/**
 * How binding a requirement is. `required`: the specification says it outright. `expected`: it is
 * clearly implied, or HTTP or JSON demand it. `robustness`: any server should withstand it.
 */
export type Level = 'required' | 'expected' | 'robustness'

export const levels: readonly Level[] = ['required', 'expected', 'robustness']

/** One thing that the specification demands of a server. */
export interface Requirement {
  /** Permanent name, e.g. `plugin.delete.keeps-order`. */
  readonly id: string
  /** Clause of the specification, e.g. `4.2 rule 2`. */
  readonly clause: string
  readonly level: Level
  /** What a server must do, in one sentence. */
  readonly statement: string
  /** What goes wrong for a trader or a client when it does not. */
  readonly consequence: string
}

/** A sentence of the specification that no check can judge, with the reason. */
export interface Unjudged {
  readonly id: string
  readonly clause: string
  readonly sentence: string
  readonly reason: string
}
