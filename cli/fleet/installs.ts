import { Option } from 'commander'
import { openGate } from '../baseline/gate.ts'
import { UsageError } from '../command-error.ts'
import { place } from '../config/config-file.ts'
import { resolveConfig } from '../config/resolve.ts'
import { defaultRunFlags, runOptions } from '../options/run-definitions.ts'
import { type RunFlags, type RunOptions, resolveRunOptions } from '../options/run-options.ts'
import { openComparison } from '../run/drift.ts'
import { runCases } from '../target/apis.ts'
import { requireChecks } from '../target/plan.ts'
import type { Environment } from '../transport/proxy.ts'
import type { Shard } from './document.ts'
import type { TargetEntry } from './read-targets.ts'
import { partOf } from './shard.ts'

/** One install of a fleet, checked. */
export interface Install {
  /** The folder of its report. */
  readonly name: string
  /** What its entry says of the options of `run`, for the configuration file of its run. */
  readonly config: Readonly<Record<string, unknown>>
  readonly options: RunOptions
  /** The environment of its run: no other install's secrets. */
  readonly env: Environment
}

/** Members of an entry that name the variables with its secrets, what `run` calls them, and what needs them. */
const secretVariables = [
  { member: 'keyVariable', variable: 'TCK_API_KEY', file: 'apiKeyFile', neededBy: 'target' },
  { member: 'platformKeyVariable', variable: 'TCK_PLATFORM_KEY', file: 'platformKeyFile', neededBy: 'platformUrl' },
  { member: 'platformSecretVariable', variable: 'TCK_PLATFORM_SECRET', file: 'platformSecretFile', neededBy: null },
] as const

const ownMembers: readonly string[] = ['name', ...secretVariables.map(({ member }) => member)]

/** Options of `run` that the fleet decides. */
const ofFleet: readonly string[] = [
  ...['out', 'config', 'plan', 'reporter', 'verbose', 'quiet', 'keepServer', 'manual', 'failed'],
]

const entryOptions: readonly Option[] = [
  ...ownMembers.map(
    (name) => new Option(`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} <text>`),
  ),
  ...runOptions().filter((option) => !ofFleet.includes(option.attributeName())),
]

/** An entry with its values by the names of the options. */
interface NamedEntry {
  readonly name: string
  readonly where: string
  readonly entry: TargetEntry
  readonly values: ReadonlyMap<string, unknown>
}

/**
 * Names the entries of a file of targets, and checks their options.
 *
 * @throws {UsageError} with every problem: wrong options, bad names, a name or a target that two entries share
 */
export function nameEntries(path: string, entries: readonly TargetEntry[]): readonly NamedEntry[] {
  const named = collect(entries, (entry): NamedEntry => {
    const where = place(path, entry.line)
    const values = resolveConfig({ path, entries: entry.entries }, entryOptions)
    const name = String(values.get('name') ?? '')
    if (/^\w[\w.-]*$/.test(name)) return { name, where, entry, values }
    throw new UsageError(`${where}: \`name\` must consist of letters, digits, \`-\`, \`_\` and \`.\`.`, hint)
  })
  rejectShared(named, ({ name }) => [name.toLowerCase()], 'name')
  rejectShared(named, addressesIn, 'target')
  return named
}

const hint = 'Correct the file of targets. Nothing was sent.'

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
  const installs = collect(partOf(named, shard), (one) => ({ ...one, ...resolveInstall(one, env, clean) }))
  for (const { where, options } of installs) {
    await openGate(options.baseline).catch(problemAt(where))
    await openComparison(options.profile).catch(problemAt(where))
  }
  return installs
}

function resolveInstall({ where, entry, values }: NamedEntry, env: Environment, clean: Environment) {
  const secrets = secretsOf(values, where, env)
  const own = { ...clean, ...secrets }
  const { TCK_API_KEY: apiKey } = secrets
  const flags: RunFlags = { ...defaultRunFlags(), ...(apiKey && { apiKey }), ...Object.fromEntries(values), yes: true }
  const ofRun = entry.entries.filter(({ key }) => !ownMembers.includes(key))
  const config = Object.fromEntries(ofRun.map(({ key, value }) => [key, value]))
  const options = optionsOf(flags, own, where)
  if (options.target.kind !== 'simulator') return { config, env: own, options }
  throw new UsageError(`${where}: the entry has none of \`target\`, \`exec\`, \`container\` and \`platformUrl\`.`, hint)
}

/** The secrets of an entry as its run expects them. Each server has its own: none is taken from elsewhere. */
function secretsOf(values: NamedEntry['values'], where: string, env: Environment): Record<string, string> {
  const found = secretVariables.flatMap(({ member, variable, file, neededBy }): (readonly [string, string])[] => {
    const source = values.get(member)
    if (source === undefined) {
      if (neededBy === null || !values.has(neededBy) || values.has(file)) return []
      throw new UsageError(`${where}: \`${neededBy}\` requires \`${member}\` or \`${file}\`.`, hint)
    }
    const secret = env[String(source)]
    if (!secret) throw new UsageError(`${where}: the environment variable ${source} is not set.`, hint)
    return [[variable, secret]]
  })
  return Object.fromEntries(found)
}

function optionsOf(flags: RunFlags, env: Environment, where: string): RunOptions {
  try {
    const options = resolveRunOptions(flags, env)
    requireChecks(options, runCases)
    return options
  } catch (error) {
    return problemAt(where)(error as Error)
  }
}

/** Adds to an error about the input where the entry stands. */
function problemAt(where: string): (error: Error) => never {
  return (error) => {
    if (!('hint' in error)) throw error
    throw new UsageError(`${where}: ${error.message} ${error.hint}`, hint, { cause: error })
  }
}

/** A key of another entry, or of the shell, must not be sent to this server. */
function withoutSecrets(env: Environment, named: readonly NamedEntry[]): Environment {
  const secret = new Set([
    ...secretVariables.map(({ variable }) => variable),
    ...named.flatMap(({ values }) => secretVariables.map(({ member }) => String(values.get(member)))),
    // What a run adds for GitHub is about one server.
    ...['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY'],
  ])
  return Object.fromEntries(Object.entries(env).filter(([name]) => !secret.has(name)))
}

/** The servers that an entry names and that its run does not start itself, however they are written. */
function addressesIn({ values }: NamedEntry): readonly string[] {
  return ['target', 'platformUrl'].flatMap((member) => {
    const address = String(values.get(member) ?? '')
    if (!URL.canParse(address)) return []
    const url = new URL(address)
    if (url.hostname === 'localhost' || url.hostname === '[::1]') url.hostname = '127.0.0.1'
    return `${url.origin}${url.pathname}`.replace(/\/*(api\/*)?$/, '')
  })
}

function rejectShared<Item extends { readonly where: string }>(
  items: readonly Item[],
  valuesOf: (item: Item) => readonly string[],
  what: string,
): void {
  const owners = new Map<string, string>()
  const problems: string[] = []
  for (const item of items) {
    for (const value of new Set(valuesOf(item))) {
      const owner = owners.get(value)
      if (owner !== undefined) problems.push(`${item.where}: the ${what} ${value} is that of ${owner} too.`)
      owners.set(value, owner ?? item.where)
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'), hint)
}

/** Every result, or one error with all problems. */
function collect<Item, Result>(items: readonly Item[], of: (item: Item) => Result): readonly Result[] {
  const problems = new Set<string>()
  const results = items.flatMap((item) => {
    try {
      return [of(item)]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      for (const line of error.message.split('\n')) problems.add(line)
      return []
    }
  })
  if (problems.size === 0) return results
  throw new UsageError([...problems].join('\n'), hint)
}
