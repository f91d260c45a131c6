import type { PluginAnswer, PluginQuestionId } from '../../spec/questions/plugin.ts'
import type { PluginRequirementId } from '../../spec/requirements/plugin.ts'
import type { Override } from '../http/seams/seams.ts'

/** The answers of a profile to some questions. */
export type Answers = { readonly [Id in PluginQuestionId]?: PluginAnswer<Id> }

/** Answers to silent questions under which a defect does not show. */
export interface Hiding {
  readonly answers: Answers
  /** The requirements that do not notice it then; all that it breaks if left out. */
  readonly from?: readonly PluginRequirementId[]
}

/** One way in which a server can be wrong. */
export interface Defect {
  /** Permanent name, e.g. `delete.moves-last-into-hole`. */
  readonly id: string
  /** The requirements that a server with this defect does not meet. */
  readonly breaks: readonly [PluginRequirementId, ...PluginRequirementId[]]
  /** How the server is wrong, in one plain sentence. */
  readonly summary: string
  /** Where a silent choice has the request that would show it refused, or makes it no defect. */
  readonly hiddenBy?: readonly Hiding[]
  /**
   * Replaces the seams that make the server wrong. What such a server remembers from one request to
   * the next lives in a closure made here, so that each life of each simulator has its own.
   */
  readonly override: Override
}
