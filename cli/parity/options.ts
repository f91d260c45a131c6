import type { ProfileDocument } from '../../simulator/index.ts'
import { UsageError } from '../command-error.ts'
import { type RunOptions, resolvePluginOptions } from '../options/run-options.ts'
import type { ParityFlags } from './command.ts'

/** The resolved options of `parity`. */
export interface ParityOptions extends Pick<ParityFlags, 'ignore' | 'runs' | 'maxRequests'> {
  readonly target: RunOptions
  /** Searches for every difference, not only the first one. */
  readonly all: boolean
  /** The server, or simulator with a profile, that the target is compared with. */
  readonly twin:
    | { readonly kind: 'server'; readonly options: RunOptions }
    | { readonly kind: 'simulator'; readonly profile: ProfileDocument | null; readonly file: string | null }
}

/**
 * Resolves the flags, and reads the profile.
 *
 * @throws {UsageError} for flags that exclude each other, or as for `run`
 * @throws {InvalidProfileError} when the profile is invalid
 */
export async function resolveParityOptions(flags: ParityFlags): Promise<ParityOptions> {
  const { against, profile, ignore, runs, maxRequests } = flags
  const bounds = { ignore, runs, maxRequests, all: flags.continue }
  if (against !== undefined && profile !== undefined) {
    throw new UsageError(
      '`--against` and `--profile` exclude each other.',
      'Give `--profile` to compare with the simulator, or `--against` to compare with a running server.',
    )
  }
  const target = runOptionsOf(flags)
  if (against !== undefined) return { target, twin: otherServer(flags, target, against), ...bounds }
  const { readProfile } = await import('../../simulator/index.ts')
  const document = profile === undefined ? null : readProfile(profile)
  return { target, twin: { kind: 'simulator', profile: document, file: profile ?? null }, ...bounds }
}

function runOptionsOf(flags: ParityFlags): RunOptions {
  const { profile: _, ...rest } = flags
  return resolvePluginOptions({ ...rest, jobs: 1 })
}

/** The other server gets the same risk, logins and ledger as the target. */
function otherServer(flags: ParityFlags, { target, risk, seed }: RunOptions, against: string): ParityOptions['twin'] {
  const { exec: _exec, container: _container, apiKeyFile: _file, againstApiKey, ...rest } = flags
  const apiKey = againstApiKey ?? (target.kind === 'none' ? null : target.key)
  const key = apiKey === null ? {} : { apiKey }
  const options = runOptionsOf({ ...rest, ...key, target: against, risk, seed })
  if (againstApiKey === undefined || options.target.kind !== 'url') return { kind: 'server', options }
  return { kind: 'server', options: { ...options, target: { ...options.target, keySource: '--against-api-key' } } }
}
