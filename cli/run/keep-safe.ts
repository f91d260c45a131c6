import type { JudgeSettings, SafetySettings } from '../../suites/engine/context.ts'
import type { PlannedCheck } from '../../suites/engine/plan.ts'
import { createRedactor } from '../../suites/safety/redact.ts'
import { announceAccounts } from './account-consent.ts'
import { announce } from './consent.ts'
import type { RunOptions } from './options.ts'
import { accountsToCreate } from './planned-accounts.ts'
import type { Found } from './preflight.ts'
import { rehearse } from './rehearse.ts'

export interface Precaution {
  readonly settings: JudgeSettings
  readonly planned: readonly PlannedCheck[]
  readonly found: Found
  readonly options: RunOptions
  readonly startedAt: Date
}

/** The settings with what keeps others from harm; a server that the kit started is nobody's. */
export async function keepSafe(precaution: Precaution): Promise<JudgeSettings> {
  const { settings, planned, options, startedAt } = precaution
  const safety = await keepRulesSafe(precaution)
  const { platform } = settings
  if (platform === undefined || platform.safety === null) return { ...settings, safety }
  const { out, yes } = options
  const redact = createRedactor(settings.secrets)
  const mostAccounts = accountsToCreate(planned)
  const accounts = await announceAccounts({ target: platform, mostAccounts, out, yes, startedAt, redact })
  return { ...settings, safety, platform: { ...platform, safety: accounts } }
}

/** What keeps the rules of others safe. */
async function keepRulesSafe(precaution: Precaution): Promise<SafetySettings | null> {
  const { settings, planned, found, options, startedAt } = precaution
  if (settings.target.server !== null || found.list === null) return null
  const before = found.list.rules
  if (settings.risk === 'read') return { before, ledgerFile: null, mostWrites: 0 }
  const { mostWrites } = await rehearse(planned, settings)
  const { out, yes } = options
  const redact = createRedactor(settings.secrets)
  const ledgerFile = await announce({ settings, list: found.list, mostWrites, out, yes, startedAt, redact })
  return { before, ledgerFile, mostWrites }
}
