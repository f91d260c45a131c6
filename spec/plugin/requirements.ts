import { copyRuleRequirements } from './requirements/2-3-copy-rule.ts'
import { statusRequirements } from './requirements/2-4-status.ts'
import { addRequirements } from './requirements/4-2-add.ts'
import { deleteRequirements } from './requirements/4-2-delete.ts'
import { listRequirements } from './requirements/4-2-list.ts'
import { persistenceRequirements } from './requirements/4-3-persistence.ts'
import { authenticationRequirements } from './requirements/5-authentication.ts'
import { errorRequirements } from './requirements/7-errors.ts'
import { limitRequirements } from './requirements/8-limits.ts'
import { httpRequirements } from './requirements/http.ts'
import { sequenceRequirements } from './requirements/sequences.ts'

/** Every requirement of the plugin, by clause. */
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
] as const

export type PluginRequirementId = (typeof pluginRequirements)[number]['id']

export { pluginUnjudged } from './requirements/unjudged.ts'
