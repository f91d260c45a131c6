import { accountRequirements } from './platform/2-1-account.ts'
import { creationRequirements } from './platform/4-1-create.ts'
import { listRequirements } from './platform/4-1-list.ts'
import { platformAuthenticationRequirements } from './platform/5-authentication.ts'
import { signingRequirements } from './platform/5-signing.ts'
import { platformErrorRequirements } from './platform/7-errors.ts'
import { versioningRequirements } from './platform/9-versioning.ts'
import { platformHttpRequirements } from './platform/http.ts'

/** Everything that the specification demands of the platform API, by clause. */
export const platformRequirements = [
  ...accountRequirements,
  ...creationRequirements,
  ...listRequirements,
  ...platformAuthenticationRequirements,
  ...signingRequirements,
  ...platformErrorRequirements,
  ...versioningRequirements,
  ...platformHttpRequirements,
] as const

export type PlatformRequirementId = (typeof platformRequirements)[number]['id']

export { platformUnjudged } from './platform/unjudged.ts'
