import type { LoginRange } from '../../suites/session/logins.ts'
import { UsageError } from '../command-error.ts'
import type { LifeCycleFlags } from '../options/life-cycle-options.ts'
import type { PlatformFlags } from '../options/platform-options.ts'
import { defaultRunFlags } from '../options/run-definitions.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import type { TransportFlags } from '../transport/resolve.ts'
import { platformTarget } from './platform/target.ts'
import { pluginTarget } from './plugin/target.ts'
import type { DoctorTarget } from './target.ts'

/** What the command line of `doctor` holds. */
export interface DoctorFlags extends TransportFlags, LifeCycleFlags, Omit<PlatformFlags, 'group' | 'maxAccounts'> {
  readonly target?: string
  readonly apiKey?: string
  readonly apiKeyFile?: string
  readonly logins: LoginRange
  readonly capacity?: number
  readonly timeout: number
  readonly json: boolean
}

/**
 * The servers to examine: a plugin, a platform, or both. Resolves the flags exactly as `run` would, so that both reach the same servers with the same keys.
 *
 * @throws {UsageError} for a bad URL, a missing key, or a missing target
 */
export function resolveDoctorOptions({ json: _json, ...flags }: DoctorFlags): readonly DoctorTarget[] {
  const resolved = resolveRunOptions({ ...defaultRunFlags(), ...flags, plan: true })
  const { target, platform, lifeCycle, timeoutMs, logins, capacity } = resolved
  if (target.kind === 'simulator') {
    throw new UsageError('`doctor` requires a target.', 'Give `--target <url>`, `--platform-url <url>` or both.')
  }
  return [
    ...(target.kind === 'url' ? [pluginTarget({ ...target, lifeCycle, timeoutMs, logins, capacity })] : []),
    ...(platform?.kind === 'url' ? [platformTarget({ ...platform, timeoutMs })] : []),
  ]
}
