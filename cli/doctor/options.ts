import type { LoginRange } from '../../suites/session/logins.ts'
import { UsageError } from '../command-error.ts'
import type { LifeCycleFlags } from '../life-cycle/options.ts'
import { runCommand } from '../run/command.ts'
import { type RunFlags, resolveRunOptions } from '../run/options.ts'
import type { TransportFlags } from '../transport/resolve.ts'
import type { DoctorOptions } from './context.ts'

/** What the command line of `doctor` holds. */
export interface DoctorFlags extends TransportFlags, LifeCycleFlags {
  readonly target?: string
  readonly apiKey?: string
  readonly apiKeyFile?: string
  readonly logins: LoginRange
  readonly capacity?: number
  readonly timeout: number
  readonly json: boolean
}

/**
 * Resolves the flags exactly as `run` would, so that both look at the same target with the same key.
 *
 * @throws {UsageError} for a missing or bad URL, or a missing key
 */
export function resolveDoctorOptions({ json: _json, ...flags }: DoctorFlags): DoctorOptions {
  if (flags.target === undefined) {
    throw new UsageError('There is no target.', 'Give --target <url>, or target in the configuration file.')
  }
  const all = { ...runCommand().opts<RunFlags>(), ...flags, plan: true }
  const { target, lifeCycle, timeoutMs, logins, capacity } = resolveRunOptions(all)
  if (target.kind !== 'url') throw new Error('--target was not taken for a URL')
  return { url: target.url, key: target.key, transport: target.transport, timeoutMs, logins, capacity, lifeCycle }
}
