import type { Rule } from '../../model/rule.ts'
import type { Risk } from '../../session/check.ts'
import { defaultLogins, type LoginRange } from '../../session/logins.ts'
import type { Target } from '../../targets/target.ts'
import type { ApiSettings } from '../shared.ts'

/** How a plugin is judged; complete, resolved at the edge. Can be sent as a message. */
export interface PluginSettings extends ApiSettings {
  readonly target: Target
  readonly risk: Risk
  readonly seed: number
  /** How many times as long the checks that draw at random go on. */
  readonly thorough: number
  readonly logins: LoginRange
  readonly maxFill: number
  /** The given syntax of `Copy_N` values; null if unknown. */
  readonly copySyntax: string | null
  /** Random string that the keys of servers which a check launches begin with; one of the secrets. */
  readonly launchKey: string
  /** The check whose servers stay as it leaves them, with the key of the target. */
  readonly keepServerOf?: string
  /** What keeps the foreign rules safe; null for a server that the kit started. */
  readonly safety: SafetySettings | null
}

/** Can be sent as a message. */
export interface SafetySettings {
  /** The list as it was found. */
  readonly before: readonly Rule[]
  /** The write-ahead file; null if nothing is written. */
  readonly ledgerFile: string | null
  /** The most writes that were announced. */
  readonly mostWrites: number
}

const launchKey = 'launched-for-tests'

/** How a target that nobody depends on is judged: every risk is taken, as fast as it goes, and nothing stands guard. */
export function unguardedSettings(target: Target, seed: number): PluginSettings {
  return {
    target,
    risk: 'exclusive',
    seed,
    thorough: 1,
    logins: defaultLogins,
    timeoutMs: 3_000,
    maxRequestsPerSecond: null,
    maxFill: 100,
    copySyntax: null,
    secrets: [target.key, launchKey],
    launchKey,
    safety: null,
  }
}
