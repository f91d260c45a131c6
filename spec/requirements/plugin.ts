import { copyRuleRequirements } from './plugin/2-3-copy-rule.ts'
import { statusRequirements } from './plugin/2-4-status.ts'
import { addRequirements } from './plugin/4-2-add.ts'
import { deleteRequirements } from './plugin/4-2-delete.ts'
import { listRequirements } from './plugin/4-2-list.ts'
import { persistenceRequirements } from './plugin/4-3-persistence.ts'
import { authenticationRequirements } from './plugin/5-authentication.ts'
import { errorRequirements } from './plugin/7-errors.ts'
import { limitRequirements } from './plugin/8-limits.ts'
import { httpRequirements } from './plugin/http.ts'
import { malformedHttpRequirements } from './plugin/http-malformed.ts'
import { sequenceRequirements } from './plugin/sequences.ts'

/** Everything that the specification demands of the plugin, by clause. */
export const pluginRequirements = [
  ...copyRuleRequirements,
  ...statusRequirements,
  ...listRequirements,
  ...addRequirements,
  ...deleteRequirements,
  ...persistenceRequirements,
  ...authenticationRequirements,
  ...errorRequirements,
  ...limitRequirements,
  ...sequenceRequirements,
  ...httpRequirements,
  ...malformedHttpRequirements,
] as const

export type PluginRequirementId = (typeof pluginRequirements)[number]['id']

export { pluginUnjudged } from './plugin/unjudged.ts'
