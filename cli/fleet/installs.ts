import { openGate } from '../baseline/gate.ts'
import { UsageError } from '../command-error.ts'
import type { Shard } from '../fleet-document.ts'
import { defaultRunFlags } from '../options/run-definitions.ts'
import { type RunFlags, type RunOptions, resolveRunOptions } from '../options/run-options.ts'
import { openComparison } from '../run/drift.ts'
import { apis } from '../target/apis.ts'
import { requireChecks } from '../target/plan.ts'
import type { Environment } from '../transport/proxy.ts'
import { collect, hint, type NamedEntry, ownMembers } from './entries.ts'
import { secretsOf, withoutSecrets } from './secrets.ts'
import { partOf } from './shard.ts'

/** A validated install of a fleet. */
export interface Install {
  /** The folder of its report. */
  readonly name: string
  /** The options of its entry, for the configuration file of its run. */
  readonly config: Readonly<Record<string, unknown>>
  readonly options: RunOptions
  /** The environment of its run, without the secrets of other installs. */
  readonly env: Environment
}

/**
 * The installs of a part of the fleet, ready to be judged. Reads their keys, baselines and profiles.
 *
 * @throws {UsageError} with every problem
 */
export async function resolveInstalls(
  named: readonly NamedEntry[],
  shard: Shard | null,
  env: Environment = process.env,
): Promise<readonly Install[]> {
  const clean = withoutSecrets(env, named)
  const installs = collect(partOf(named, shard), (one) => ({
    ...one,
    ...located(one.where, () => resolveInstall(one, env, clean)),
  }))
  for (const { where, options } of installs) {
    await openGate(options.baseline).catch(problemAt(where))
    await openComparison(options.profile).catch(problemAt(where))
  }
  return installs
}

/** @throws {UsageError} */
function resolveInstall({ entry, values }: NamedEntry, env: Environment, clean: Environment) {
  const secrets = secretsOf(values, env)
  const own = { ...clean, ...secrets }
  const { TCK_API_KEY: apiKey } = secrets
  const flags: RunFlags = { ...defaultRunFlags(), ...(apiKey && { apiKey }), ...Object.fromEntries(values), yes: true }
  const ofRun = entry.entries.filter(({ key }) => !ownMembers.includes(key))
  const config = Object.fromEntries(ofRun.map(({ key, value }) => [key, value]))
  const options = resolveRunOptions(flags, own)
  if (options.target.kind === 'simulator') {
    throw new UsageError('The entry names no server.', 'Give `target`, `exec`, `container` or `platformUrl`.')
  }
  requireChecks(options, apis)
  return { config, env: own, options }
}

/** Adds the position of the entry to an error about the input. */
function problemAt(where: string): (error: Error) => never {
  return (error) => {
    if (!('hint' in error)) throw error
    throw new UsageError(`${where}: ${error.message} ${error.hint}`, hint, { cause: error })
  }
}

function located<Result>(where: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    return problemAt(where)(error as Error)
  }
}
