import { defaultLogins } from '../../session/logins.ts'
import type { Target } from '../../targets/target.ts'
import type { PluginSettings } from './settings.ts'

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
