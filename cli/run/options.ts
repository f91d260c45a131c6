import { randomInt } from 'node:crypto'
import type { Risk } from '../../suites/engine/check.ts'
import type { LoginRange } from '../../suites/session/logins.ts'
import { normaliseBaseUrl } from '../../suites/targets/target.ts'
import { UsageError } from '../command-error.ts'
import { type KeyFlags, readKey } from '../read-key.ts'

/** What the command line of `run` holds. */
export interface RunFlags extends KeyFlags {
  readonly target?: string
  readonly exec?: string
  readonly risk?: Risk
  readonly capacity?: number
  readonly maxFill: number
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly baseline?: string
  readonly record?: string
  readonly strict: boolean
  readonly complete: boolean
  readonly seed?: number
  readonly out: string
  readonly timeout: number
  readonly maxRps?: number
  readonly logins: LoginRange
  readonly plan: boolean
  readonly yes: boolean
}

/** What to judge. */
export type TargetChoice =
  | { readonly kind: 'simulator'; readonly key: string | null }
  | { readonly kind: 'exec'; readonly command: string; readonly key: string | null }
  | { readonly kind: 'url'; readonly url: string; readonly key: string }

/** The options of a run, complete. */
export interface RunOptions
  extends Pick<RunFlags, 'maxFill' | 'only' | 'skip' | 'strict' | 'complete' | 'out' | 'logins' | 'plan' | 'yes'> {
  readonly target: TargetChoice
  readonly risk: Risk
  readonly capacity: number | null
  /** Path of the file of known failures; null for none. */
  readonly baseline: string | null
  /** Path of the recording to write; null for none. */
  readonly record: string | null
  readonly seed: number
  readonly timeoutMs: number
  readonly maxRequestsPerSecond: number | null
}

/**
 * Resolves the flags, the environment and the defaults into complete options.
 *
 * @throws {UsageError} for flags that exclude each other, a bad URL or a missing key
 */
export function resolveRunOptions(flags: RunFlags): RunOptions {
  const target = chooseTarget(flags)
  if (flags.record !== undefined && target.kind !== 'url') {
    throw new UsageError(
      '--record keeps the exchanges with a running server.',
      'Give --target too; a server that the kit starts can be judged again at any time.',
    )
  }
  return {
    target,
    risk: flags.risk ?? (target.kind === 'url' ? 'read' : 'exclusive'),
    capacity: flags.capacity ?? null,
    maxFill: flags.maxFill,
    only: flags.only,
    skip: flags.skip,
    baseline: flags.baseline ?? null,
    record: flags.record ?? null,
    strict: flags.strict,
    complete: flags.complete,
    seed: flags.seed ?? randomInt(2 ** 31),
    out: flags.out,
    timeoutMs: flags.timeout,
    maxRequestsPerSecond: flags.maxRps ?? null,
    logins: flags.logins,
    plan: flags.plan,
    yes: flags.yes,
  }
}

function chooseTarget(flags: RunFlags): TargetChoice {
  if (flags.target !== undefined && flags.exec !== undefined) {
    throw new UsageError(
      '--target and --exec exclude each other.',
      'Give --target for a server that runs already, --exec for one that the kit is to start.',
    )
  }
  const key = readKey(flags)
  if (flags.exec !== undefined) return { kind: 'exec', command: flags.exec, key }
  if (flags.target === undefined) return { kind: 'simulator', key }
  if (key === null) {
    throw new UsageError(
      'There is no key for --target.',
      'Set TCK_API_KEY, or give --api-key-file <path> or --api-key <key>.',
    )
  }
  return { kind: 'url', url: readUrl(flags.target), key }
}

function readUrl(text: string): string {
  try {
    return normaliseBaseUrl(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`--target is no usable URL: ${reason}.`, 'Give it like http://127.0.0.1:8443.', { cause })
  }
}
