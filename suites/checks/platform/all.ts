import type { PlatformCheck, PlatformObservation } from '../../session/check.ts'
import { accountChecks } from './2-1-account.ts'
import { listedAccountChecks } from './2-2-listed-account.ts'
import { creationChecks } from './4-1-creation.ts'
import { listChecks } from './4-1-list.ts'
import { platformKeyChecks } from './5-keys.ts'
import { signingChecks } from './5-signing.ts'
import { platformErrorChecks } from './7-errors.ts'
import { creationObservations } from './catalogue/creation.ts'
import { listObservations } from './catalogue/list.ts'
import { readObservations } from './catalogue/reads.ts'
import { signingObservations } from './catalogue/signing.ts'
import { platformHttpChecks } from './http.ts'
import { platformRobustnessChecks } from './robustness.ts'

/** Every check of the platform. With a limit on accounts, the last checks that create accounts do not run. */
export const platformChecks: readonly PlatformCheck[] = [
  ...accountChecks,
  ...creationChecks,
  ...listedAccountChecks,
  ...listChecks,
  ...platformKeyChecks,
  ...signingChecks,
  ...platformErrorChecks,
  ...platformHttpChecks,
  ...platformRobustnessChecks,
]

export const platformObservations: readonly PlatformObservation[] = [
  ...creationObservations,
  ...listObservations,
  ...readObservations,
  ...signingObservations,
]
