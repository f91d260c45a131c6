import type { RunSettings } from '../../suites/runner/context.ts'
import type { PluginSettings, SafetySettings } from '../../suites/runner/plugin/context.ts'
import { redactorFor } from '../../suites/runner/shared.ts'
import type { RunOptions } from '../options/run-options.ts'
import { announceAccounts } from './platform/consent.ts'
import { announce } from './plugin/consent.ts'
import type { Found } from './plugin/inspect.ts'
import type { Foreseen } from './session.ts'

export interface Precaution {
  readonly settings: RunSettings
  readonly foreseen: Foreseen
  readonly found: Found
  readonly options: RunOptions
  readonly startedAt: Date
}

/** The settings with what keeps others from harm; a server that the kit started is nobody's. */
export async function keepSafe(precaution: Precaution): Promise<RunSettings> {
  const { settings, foreseen, options, startedAt } = precaution
  const { plugin, platform } = settings
  const redact = redactorFor([plugin, platform].filter((one) => one !== null))
  const safe = plugin && { ...plugin, safety: await keepRulesSafe(precaution, plugin, redact) }
  if (platform === null || platform.target.safety === null) return { plugin: safe, platform }
  const { target } = platform
  const { out, yes } = options
  const { mostAccounts } = foreseen
  const accounts = await announceAccounts({ target, mostAccounts, out, yes, startedAt, redact })
  return { plugin: safe, platform: { ...platform, target: { ...target, safety: accounts } } }
}

/** What keeps the rules of others safe. */
async function keepRulesSafe(
  { foreseen, found, options, startedAt }: Precaution,
  settings: PluginSettings,
  redact: (text: string) => string,
): Promise<SafetySettings | null> {
  if (settings.target.server !== null || found.list === null) return null
  const before = found.list.rules
  if (settings.risk === 'read') return { before, ledgerFile: null, mostWrites: 0 }
  const { mostWrites, lifeCycle } = foreseen
  const { out, yes } = options
  const ledgerFile = await announce({ settings, list: found.list, mostWrites, lifeCycle, out, yes, startedAt, redact })
  return { before, ledgerFile, mostWrites }
}
