import type { Rule } from '../../model/rule.ts'
import type { Risk } from '../../session/check.ts'
import { defaultLogins, type LoginRange } from '../../session/logins.ts'
import type { Session } from '../../session/session.ts'
import type { Target } from '../../targets/target.ts'
import type { ApiSettings } from '../shared.ts'

/** How a plugin is judged. Can be sent to a worker. */
export interface PluginSettings extends ApiSettings, Pick<Session, 'seed' | 'thorough'> {
  readonly target: Target
  readonly risk: Risk
  readonly logins: LoginRange
  readonly maxFill: number
  /** The given syntax of `Copy_N` values; null if unknown. */
  readonly copySyntax: string | null
  /** The random prefix of the keys of launched servers. It is a secret. */
  readonly launchKey: string
  /** The check whose servers keep running, with the key of the target. */
  readonly keepServerOf?: string
  /** How foreign rules are protected; null for a server that the kit started. */
  readonly safety: SafetySettings | null
}

/** Can be sent to a worker. */
export interface SafetySettings {
  readonly before: readonly Rule[]
  /** The write-ahead file; null if nothing is written. */
  readonly ledgerFile: string | null
  readonly mostWrites: number
}

const launchKey = 'launched-for-tests'

/** Settings for a target without other users: every risk, no rate limit and no guard. */
export function unguardedSettings(target: Target, seed: number): PluginSettings {
  return {
    target,
    risk: 'exclusive',
    seed,
    thorough: 1,
    logins: defaultLogins,
    timeoutMs: 5_000,
    maxRequestsPerSecond: null,
    maxFill: 100,
    copySyntax: null,
    secrets: [target.key, launchKey],
    launchKey,
    safety: null,
  }
}
