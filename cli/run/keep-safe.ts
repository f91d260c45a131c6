import { createRedactor } from '../../suites/client/redact.ts'
import type { JudgeSettings, SafetySettings } from '../../suites/runner/plugin/context.ts'
import type { RunOptions } from '../options/run-options.ts'
import { announceAccounts } from './account-consent.ts'
import { announce } from './consent.ts'
import type { Found } from './preflight.ts'
import type { Foreseen } from './visit.ts'

export interface Precaution {
  readonly settings: JudgeSettings
  readonly foreseen: Foreseen
  readonly found: Found
  readonly options: RunOptions
  readonly startedAt: Date
}

/** The settings with what keeps others from harm; a server that the kit started is nobody's. */
export async function keepSafe(precaution: Precaution): Promise<JudgeSettings> {
  const { settings, foreseen, options, startedAt } = precaution
  const safety = await keepRulesSafe(precaution)
  const { platform } = settings
  if (platform === undefined || platform.safety === null) return { ...settings, safety }
  const { out, yes } = options
  const redact = createRedactor(settings.secrets)
  const { mostAccounts } = foreseen
  const accounts = await announceAccounts({ target: platform, mostAccounts, out, yes, startedAt, redact })
  return { ...settings, safety, platform: { ...platform, safety: accounts } }
}

/** What keeps the rules of others safe. */
async function keepRulesSafe(precaution: Precaution): Promise<SafetySettings | null> {
  const { settings, foreseen, found, options, startedAt } = precaution
  if (settings.target.server !== null || found.list === null) return null
  const before = found.list.rules
  if (settings.risk === 'read') return { before, ledgerFile: null, mostWrites: 0 }
  const { mostWrites, lifeCycle } = foreseen
  const { out, yes } = options
  const redact = createRedactor(settings.secrets)
  const ledgerFile = await announce({ settings, list: found.list, mostWrites, lifeCycle, out, yes, startedAt, redact })
  return { before, ledgerFile, mostWrites }
}
