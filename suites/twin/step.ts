import type { PluginQuestionId } from '../../spec/plugin/questions.ts'
import type { Risk } from '../session/check.ts'
import type { ServerPair } from './server-pair.ts'

/** One step of a sequence: a request or a few, sent to both servers. */
export interface Step {
  /** Names it, e.g. `add.duplicate`. */
  readonly id: string
  readonly risk: Risk
  /** A faulty server might take it for the removal of a rule of others: only for a list without any. */
  readonly alone?: true
  /** It fills the list, so the capacity must be known. */
  readonly fills?: true
  /** The question whose answer it shows. */
  readonly question?: PluginQuestionId
  /** Globs of the requirements that it is about, the nearest first. */
  readonly requirements: readonly string[]
  /** `n` is any number: it chooses among what there is to choose from. */
  play(pair: ServerPair, n: number): Promise<unknown>
}
