import { openGate } from '../baseline/gate.ts'
import { hashOf } from '../baseline/signature.ts'
import { UsageError } from '../command-error.ts'
import type { Shard } from '../fleet-document.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import { openComparison } from '../run/drift.ts'
import { apis } from '../target/apis.ts'
import { requireChecks } from '../target/session.ts'
import type { Environment } from '../transport/proxy.ts'
import { collect, type Entry, hint, readEntries } from './entries.ts'
import { secretsOf, withoutSecrets } from './secrets.ts'

export type Install = Awaited<ReturnType<typeof resolveInstall>>

/**
 * The installs in a part of a file of targets, and the environment without their secrets. Reads their keys and files.
 * @throws {UsageError} with every problem
 */
export async function readInstalls(path: string, shard: Shard | null, env: Environment = process.env) {
  const entries = await readEntries(path)
  const clean = withoutSecrets(env, entries)
  const installs = await collect(partOf(entries, shard), (one) =>
    resolveInstall(one, env, clean).catch((error: Error) => {
      if (!('hint' in error)) throw error
      throw new UsageError(`${one.where}: ${error.message} ${error.hint}`, hint, { cause: error })
    }),
  )
  // Parts of different files must not be merged.
  const targets = hashOf(entries.map(({ name }) => name).toSorted())
  return { installs, env: clean, shard: shard && { ...shard, targets } }
}

async function resolveInstall({ name, config, values }: Entry, env: Environment, clean: Environment) {
  const secrets = secretsOf(values, env)
  const own = { ...clean, ...secrets }
  const { TCK_API_KEY: apiKey } = secrets
  const options = resolveRunOptions({ ...(apiKey && { apiKey }), ...Object.fromEntries(values), yes: true }, own)
  if (options.target.kind === 'simulator') {
    throw new UsageError('The entry names no server.', 'Give `target`, `exec`, `container` or `platformUrl`.')
  }
  requireChecks(options, apis)
  await openGate(options.baseline)
  await openComparison(options.profile)
  // The name is the folder of the report. `env` lacks the secrets of other installs.
  return { name, config, env: own, options }
}

/** The items of one part. The division depends only on the names, and the parts are equal in size. */
export function partOf<Item extends { readonly name: string }>(items: readonly Item[], shard: Shard | null) {
  if (shard === null) return items
  const byName = items.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const own = new Set(byName.filter((_, place) => place % shard.count === shard.index - 1))
  return items.filter((item) => own.has(item))
}
