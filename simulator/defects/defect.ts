import type { PluginRequirementId } from '../../spec/requirements/plugin.ts'
import type { Override } from '../http/seams/seams.ts'

/** One way in which a server can be wrong. */
export interface Defect {
  /** Permanent name, e.g. `delete.moves-last-into-hole`. */
  readonly id: string
  /** The requirements that a server with this defect does not meet. */
  readonly breaks: readonly [PluginRequirementId, ...PluginRequirementId[]]
  /** How the server is wrong, in one plain sentence. */
  readonly summary: string
  /**
   * Replaces the seams that make the server wrong. What such a server remembers from one request to
   * the next lives in a closure made here, so that each life of each simulator has its own.
   */
  readonly override: Override
}
