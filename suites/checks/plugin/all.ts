import type { Case, Check } from '../../session/check.ts'
import type { Session } from '../../session/session.ts'
import { ruleChecks } from './2-3-rules.ts'
import { statusChecks } from './2-4-status.ts'
import { addRejectedChecks } from './4-2-add-rejected.ts'
import { addRuleChecks } from './4-2-add-rule.ts'
import { deleteChecks } from './4-2-delete.ts'
import { listChecks } from './4-2-list.ts'
import { relatedRuleChecks } from './4-2-related-rules.ts'
import { persistenceChecks } from './4-3-persistence.ts'
import { startUpChecks } from './4-3-start-up.ts'
import { keyParameterChecks } from './5-key-parameter.ts'
import { rightKeyChecks } from './5-right-key.ts'
import { wrongKeyChecks } from './5-wrong-key.ts'
import { errorChecks, unrequestedChangeChecks } from './7-errors.ts'
import { pathAndMethodChecks } from './7-paths-and-methods.ts'
import { limitChecks } from './8-limits.ts'
import { pluginObservations } from './catalogue/observations.ts'
import { concurrencyChecks } from './concurrency.ts'
import { durabilityChecks } from './durability.ts'
import { echoedTextChecks } from './echoed-text.ts'
import { errorTextProbes } from './error-text-probes.ts'
import { framingChecks } from './framing.ts'
import { connectionChecks, malformedHttpChecks } from './http.ts'
import { ordinaryRequestChecks } from './ordinary-requests.ts'
import { robustnessChecks } from './robustness.ts'
import { sequenceChecks } from './sequences.ts'

export const pluginChecks: readonly Check[] = [
  ...statusChecks,
  ...listChecks,
  ...ruleChecks,
  ...rightKeyChecks,
  ...wrongKeyChecks,
  ...keyParameterChecks,
  ...pathAndMethodChecks,
  ...errorChecks,
  ...echoedTextChecks,
  ...addRuleChecks,
  ...addRejectedChecks,
  ...deleteChecks,
  ...relatedRuleChecks,
  ...persistenceChecks,
  ...startUpChecks,
  ...limitChecks,
  ...sequenceChecks,
  ...concurrencyChecks,
  ...durabilityChecks,
  ...connectionChecks,
  ...framingChecks,
  ...robustnessChecks,
  ...malformedHttpChecks,
  ...unrequestedChangeChecks,
  ...ordinaryRequestChecks,
]

export { errorTextProbes, pluginObservations }

/** All parts of a profile: each question, the capacity and the error texts. */
export const pluginProbes: readonly Case<Session>[] = [...pluginObservations, ...errorTextProbes]

/** Every case that a plan may contain. */
export const pluginCases: readonly Case<Session>[] = [...pluginChecks, ...pluginProbes]
