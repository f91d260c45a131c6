import type { Check, Observation } from '../engine/check.ts'
import { copyRuleChecks } from './2-3-copy-rule.ts'
import { statusChecks } from './2-4-status.ts'
import { addRefusedChecks } from './4-2-add-refused.ts'
import { addRuleChecks } from './4-2-add-rule.ts'
import { deleteInvalidChecks } from './4-2-delete-invalid.ts'
import { deleteRuleChecks } from './4-2-delete-rule.ts'
import { listChecks } from './4-2-list.ts'
import { persistenceChecks } from './4-3-persistence.ts'
import { startUpChecks } from './4-3-start-up.ts'
import { authenticationChecks } from './5-authentication.ts'
import { errorChecks } from './7-errors.ts'
import { limitChecks } from './8-limits.ts'
import { httpChecks } from './http.ts'
import { authenticationObservations } from './questions/authentication.ts'
import { bodyObservations } from './questions/body.ts'
import { pathAndMethodObservations } from './questions/paths-and-methods.ts'
import { ruleObservations } from './questions/rules.ts'
import { startUpObservations } from './questions/start-up.ts'

/** Every check of the plugin, by clause. */
export const pluginChecks: readonly Check[] = [
  ...statusChecks,
  ...listChecks,
  ...copyRuleChecks,
  ...authenticationChecks,
  ...errorChecks,
  ...addRuleChecks,
  ...addRefusedChecks,
  ...deleteRuleChecks,
  ...deleteInvalidChecks,
  ...persistenceChecks,
  ...startUpChecks,
  ...limitChecks,
  ...httpChecks,
]

/** One observation for each question about the plugin. */
export const pluginObservations: readonly Observation[] = [
  ...authenticationObservations,
  ...pathAndMethodObservations,
  ...bodyObservations,
  ...ruleObservations,
  ...startUpObservations,
]
