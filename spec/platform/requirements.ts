import { accountRequirements } from './requirements/2-1-account.ts'
import { creationRequirements } from './requirements/4-1-create.ts'
import { listRequirements } from './requirements/4-1-list.ts'
import { platformAuthenticationRequirements } from './requirements/5-authentication.ts'
import { platformErrorRequirements } from './requirements/7-errors.ts'
import { platformHttpRequirements } from './requirements/http.ts'

/** Every requirement of the platform API, by clause. */
export const platformRequirements = [
  ...accountRequirements,
  ...creationRequirements,
  ...listRequirements,
  ...platformAuthenticationRequirements,
  ...platformErrorRequirements,
  ...platformHttpRequirements,
] as const

export type PlatformRequirementId = (typeof platformRequirements)[number]['id']

export { platformUnjudged } from './requirements/unjudged.ts'
