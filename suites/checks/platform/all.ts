import type { PlatformCheck, PlatformObservation } from '../../session/check.ts'
import { accountChecks } from './2-1-account.ts'
import { listedAccountChecks } from './2-2-listed-account.ts'
import { creationChecks } from './4-1-creation.ts'
import { platformKeyChecks } from './5-keys.ts'
import { signingChecks } from './5-signing.ts'
import { platformErrorChecks } from './7-errors.ts'
import { versionChecks } from './9-version.ts'
import { platformHttpChecks } from './http.ts'
import { accountObservations } from './observations/account.ts'
import { platformAuthenticationObservations } from './observations/authentication.ts'
import { creationObservations } from './observations/creation.ts'
import { fieldObservations } from './observations/fields.ts'
import { listObservations } from './observations/list.ts'
import { platformPathObservations } from './observations/paths-and-methods.ts'
import { signingObservations } from './observations/signing.ts'
import { platformRobustnessChecks } from './robustness.ts'

/** Every check of the platform. A limit on accounts leaves out the last checks that create some. */
export const platformChecks: readonly PlatformCheck[] = [
  ...accountChecks,
  ...creationChecks,
  ...listedAccountChecks,
  ...platformKeyChecks,
  ...signingChecks,
  ...platformErrorChecks,
  ...versionChecks,
  ...platformHttpChecks,
  ...platformRobustnessChecks,
]

/** An observation for every question about the platform. */
export const platformObservations: readonly PlatformObservation[] = [
  ...accountObservations,
  ...creationObservations,
  ...fieldObservations,
  ...listObservations,
  ...platformAuthenticationObservations,
  ...signingObservations,
  ...platformPathObservations,
]
