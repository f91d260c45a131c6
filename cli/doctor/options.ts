import { proxySecrets } from '../../suites/client/transport.ts'
import { UsageError } from '../command-error.ts'
import type { LifeCycleFlags } from '../options/life-cycle-options.ts'
import type { PlatformFlags } from '../options/platform-options.ts'
import { type KeyFlags, readKey } from '../options/read-key.ts'
import { defaultRunFlags } from '../options/run-definitions.ts'
import { type RunFlags, resolveRunOptions } from '../options/run-options.ts'
import type { TransportFlags } from '../transport/resolve.ts'
import { examineAll } from './examine.ts'
import { createPlatformLook, type PlatformDoctorOptions } from './platform/context.ts'
import { platformExaminations } from './platform/examinations.ts'
import { createPluginLook, type PluginDoctorOptions } from './plugin/context.ts'
import { pluginExaminations } from './plugin/examinations.ts'
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

/** A plugin to examine. */
function pluginTarget(options: PluginDoctorOptions): DoctorTarget {
  const { key, url, transport } = options
  return {
    ...{ api: 'plugin', url, target: { key: key ?? '' } },
    secrets: [...(key === null ? [] : [key]), ...proxySecrets(transport)],
    examine: (redact) => examineAll(pluginExaminations, createPluginLook(options, redact)),
    conclusions: {
      none: 'Not ready: the target cannot be judged.',
      read: 'Ready for `--risk read`. Writing is unsafe until the problem above is fixed.',
      any: 'Ready for any `--risk`.',
    },
  }
}

const ready = 'Ready. With `--risk write` and `--group <slug>` a run creates demo accounts.'

/** A platform to examine. */
function platformTarget(options: PlatformDoctorOptions): DoctorTarget {
  const { key, secret, url, transport } = options
  return {
    ...{ api: 'platform', url, target: { key } },
    secrets: [key, secret ?? '', ...proxySecrets(transport)],
    examine: (redact) => examineAll(platformExaminations, createPlatformLook(options, redact)),
    conclusions: { none: 'Not ready: the platform cannot be judged.', read: ready, any: ready },
  }
}
