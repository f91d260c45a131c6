/**
 * How binding a requirement is. `required`: the specification states it. `expected`: the
 * specification implies it, or HTTP or JSON require it. `robustness`: any server should withstand it.
 */
export type Level = 'required' | 'expected' | 'robustness'

export const levels: readonly Level[] = ['required', 'expected', 'robustness']

/** A requirement for a server under test. */
export interface Requirement {
  /** Permanent name, e.g. `plugin.delete.keeps-order`. */
  readonly id: string
  /** The clause of the specification, e.g. `4.2 rule 2`. */
  readonly clause: string
  readonly level: Level
  /** What a server must do, in one sentence. */
  readonly statement: string
  /** What goes wrong for a trader, an operator or a client otherwise, in one sentence. */
  readonly consequence: string
}

/** A sentence of the specification that no check can verify, with the reason. */
export interface Unjudged {
  readonly id: string
  readonly clause: string
  readonly sentence: string
  readonly reason: string
}
