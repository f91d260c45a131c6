import type { PluginQuestionId } from '../../spec/plugin/questions.ts'
import type { Risk } from '../session/check.ts'
import type { ServerPair } from './server-pair.ts'

/** One step of a sequence: one or more requests to both servers. */
export interface ComparisonStep {
  /** E.g. `add.duplicate`. */
  readonly id: string
  readonly risk: Risk
  /** A faulty server might remove a foreign rule: only for a list without foreign rules. */
  readonly withoutForeignRules?: true
  /** Fills the list, so the capacity must be known. */
  readonly fills?: true
  /** The question that it answers. */
  readonly question?: PluginQuestionId
  /** Globs of the related requirements, the most closely related first. */
  readonly requirements: readonly string[]
  /** `n` is any number; it selects among the variants of the step. */
  play(pair: ServerPair, n: number): Promise<unknown>
}
