import { Option } from 'commander'
import { z } from 'zod'
import { openGate } from '../baseline/gate.ts'
import { UsageError } from '../command-error.ts'
import { type ConfigEntry, parseOptions, place, resolveConfig } from '../config/read.ts'
import { readTextFile } from '../files.ts'
import type { Shard } from '../fleet-document.ts'
import { spell } from '../options/flags.ts'
import { runOptions } from '../options/run-definitions.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import { openComparison } from '../run/drift.ts'
import { apis } from '../target/apis.ts'
import { requireChecks } from '../target/session.ts'
import type { Environment } from '../transport/proxy.ts'

/** The members that name the variables with secrets, the variables of `run`, and the options that need them. */
const secretVariables = [
  { member: 'keyVariable', variable: 'TCK_API_KEY', file: 'apiKeyFile', neededBy: 'target' },
  { member: 'platformKeyVariable', variable: 'TCK_PLATFORM_KEY', file: 'platformKeyFile', neededBy: 'platformUrl' },
  { member: 'platformSecretVariable', variable: 'TCK_PLATFORM_SECRET', file: 'platformSecretFile', neededBy: null },
] as const

/** What to do about a wrong entry. */
const hint = 'Correct the file of targets. Nothing was sent.'

/** Members of an entry that are not options of `run`. */
const ownMembers: readonly string[] = ['name', ...secretVariables.map(({ member }) => member)]

/** Options of `run` that the fleet sets. */
const setByFleet: readonly string[] = [
  ...['out', 'config', 'plan', 'reporter', 'verbose', 'quiet', 'keepServer', 'manual', 'failed', 'watch'],
]

const entryOptions: readonly Option[] = [
  ...ownMembers.map((name) => new Option(`${spell(name)} <text>`)),
  ...runOptions().filter((option) => !setByFleet.includes(option.attributeName())),
]

interface Entry {
  readonly name: string
  /** Its position in the file, for messages. */
  readonly where: string
  /** The options of `run` as they stand in the file, for the configuration file of its run. */
  readonly config: Readonly<Record<string, unknown>>
  readonly values: ReadonlyMap<string, unknown>
}

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
  return { installs, env: clean }
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

/** The secrets of an entry as variables of its run. @throws {UsageError} when one that it needs is missing */
function secretsOf(values: Entry['values'], env: Environment): Record<string, string> {
  const found = secretVariables.flatMap(({ member, variable, file, neededBy }): (readonly [string, string])[] => {
    const source = values.get(member)
    if (source === undefined) {
      if (neededBy === null || !values.has(neededBy) || values.has(file)) return []
      throw new UsageError(`\`${neededBy}\` requires the key of its server.`, `Give \`${member}\` or \`${file}\`.`)
    }
    const secret = env[String(source)]
    if (!secret) throw new UsageError(`The environment variable ${source} is not set.`, 'Export it.')
    return [[variable, secret]]
  })
  return Object.fromEntries(found)
}

/** Keys of other entries and of the shell must not be sent to this server. */
function withoutSecrets(env: Environment, entries: readonly Entry[]): Environment {
  const secret = new Set([
    ...secretVariables.map(({ variable }) => variable),
    ...entries.flatMap(({ values }) => secretVariables.map(({ member }) => String(values.get(member)))),
    // Otherwise each run would write GitHub annotations and a job summary for its server.
    ...['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY'],
  ])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)))
}

/** The entries of a file of targets, with validated options. @throws {UsageError} with every problem */
async function readEntries(path: string): Promise<readonly Entry[]> {
  const named = await collect(readTargets(path), async ({ line, entries }): Promise<Entry> => {
    const where = place(path, line)
    const values = resolveConfig(path, entries, entryOptions)
    const ofRun = entries.filter(({ key }) => !ownMembers.includes(key))
    const config = Object.fromEntries(ofRun.map(({ key, value }) => [key, value]))
    const name = String(values.get('name') ?? '')
    if (isFolderName(name)) return { name, where, config, values }
    throw new UsageError(`${where}: \`name\` must consist of letters, digits, \`-\`, \`_\` and \`.\`.`, hint)
  })
  rejectShared(named, ({ name }) => [name.toLowerCase()], 'name')
  rejectShared(named, addressesIn, 'target')
  return named
}

/** The roll-up has files in the same folder, so their names are excluded. */
function isFolderName(name: string): boolean {
  return /^\w[\w.-]*$/.test(name) && !/\.(json|html|xml)$/.test(name)
}

/** The normalised addresses of the running servers that an entry names. */
function addressesIn({ values }: Entry): readonly string[] {
  return ['target', 'platformUrl'].flatMap((member) => {
    const address = String(values.get(member) ?? '')
    if (!URL.canParse(address)) return []
    const url = new URL(address)
    if (url.hostname === 'localhost' || url.hostname === '[::1]') url.hostname = '127.0.0.1'
    return `${url.origin}${url.pathname}`.replace(/\/*(api\/*)?$/, '')
  })
}

function rejectShared(entries: readonly Entry[], valuesOf: (entry: Entry) => readonly string[], what: string): void {
  const owners = new Map<string, string>()
  const problems: string[] = []
  for (const entry of entries) {
    for (const value of new Set(valuesOf(entry))) {
      const owner = owners.get(value)
      if (owner !== undefined) problems.push(`${entry.where}: the ${what} ${value} is that of ${owner} too.`)
      owners.set(value, owner ?? entry.where)
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'), hint)
}

/** Returns every result, or throws one error with all problems. */
async function collect<Item, Result>(items: readonly Item[], of: (item: Item) => Promise<Result>) {
  const problems = new Set<string>()
  const results: Result[] = []
  for (const item of items) {
    try {
      results.push(await of(item))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      for (const line of error.message.split('\n')) problems.add(line)
    }
  }
  if (problems.size === 0) return results
  throw new UsageError([...problems].join('\n'), hint)
}

const shapeHint =
  'Write `targets:` with a list of entries. Each has a `name` and options of `run`, like `target` and `risk`.'

const mapping = z.record(z.string(), z.unknown())
const shape = z.strictObject({ defaults: mapping.default({}), targets: z.array(mapping).min(1) })

/** Reads a list of `targets`, and `defaults` for all of them, not yet validated. @throws {UsageError} */
function readTargets(path: string) {
  const text = readTextFile(path, { name: 'The file of targets', hint: shapeHint })
  const document = parseOptions(path, text, shapeHint)
  const { data, error } = shape.safeParse(document.value)
  if (error !== undefined) {
    const [issue] = error.issues
    const at = issue?.path.join('.') || 'The file'
    throw new UsageError(`${place(path, document.lineOf(issue?.path ?? []))}: \`${at}\`: ${issue?.message}.`, shapeHint)
  }
  const entriesOf = (options: Record<string, unknown>, ...steps: readonly PropertyKey[]): readonly ConfigEntry[] =>
    Object.entries(options).map(([key, value]) => ({ key, value, line: document.lineOf([...steps, key]) }))
  const defaults = entriesOf(data.defaults, 'defaults')
  return data.targets.map((options, index) => ({
    line: document.lineOf(['targets', index]),
    entries: [...defaults.filter(({ key }) => !(key in options)), ...entriesOf(options, 'targets', index)],
  }))
}
