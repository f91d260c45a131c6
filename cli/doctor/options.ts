import { UsageError } from '../command-error.ts'
import type { LifeCycleFlags } from '../options/life-cycle-options.ts'
import type { PlatformFlags } from '../options/platform-options.ts'
import { type KeyFlags, readKey } from '../options/read-key.ts'
import { defaultRunFlags } from '../options/run-definitions.ts'
import { type RunFlags, resolveRunOptions } from '../options/run-options.ts'
import type { TransportFlags } from '../transport/resolve.ts'
import { platformTarget } from './platform/target.ts'
import { pluginTarget } from './plugin/target.ts'
import type { DoctorTarget } from './target.ts'

/** What the command line of `doctor` holds. */
export interface DoctorFlags
  extends KeyFlags,
    TransportFlags,
    LifeCycleFlags,
    Omit<PlatformFlags, 'group' | 'maxAccounts'>,
    Pick<RunFlags, 'target' | 'logins' | 'capacity' | 'timeout'> {
  readonly json: boolean
}

/**
 * The servers to examine: a plugin, a platform, or both. The flags are resolved as for `run`, so that
 * both commands reach the same servers with the same keys.
 *
 * @throws {UsageError} for a bad URL, or a missing target
 */
export function resolveDoctorOptions({ json: _json, ...flags }: DoctorFlags): readonly DoctorTarget[] {
  const hasKey = readKey(flags) !== null
  // Some examinations need no key; then this one is not sent.
  const key = hasKey ? {} : { apiKey: 'none' }
  const resolved = resolveRunOptions({ ...defaultRunFlags(), ...flags, ...key, plan: true })
  const { target, platform, lifeCycle, timeoutMs, logins, capacity } = resolved
  const terms = { lifeCycle, timeoutMs, logins, capacity }
  if (target.kind === 'simulator') {
    throw new UsageError('`doctor` requires a target.', 'Give `--target <url>`, `--platform-url <url>` or both.')
  }
  return [
    ...(target.kind === 'url' ? [pluginTarget({ ...target, ...(hasKey ? {} : { key: null }), ...terms })] : []),
    ...(platform?.kind === 'url' ? [platformTarget({ ...platform, timeoutMs })] : []),
  ]
}
