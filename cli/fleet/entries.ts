import { Option } from 'commander'
import { z } from 'zod'
import { UsageError } from '../command-error.ts'
import { overriddenBy } from '../config/alternatives.ts'
import { type ConfigEntry, parseOptions, place, readShape } from '../config/read.ts'
import { resolveConfig } from '../config/resolve.ts'
import { readTextFile } from '../files.ts'
import { spell } from '../options/flags.ts'
import { runOptions } from '../options/run-definitions.ts'
import { secretMembers } from './secrets.ts'

export const hint = 'Correct the file of targets. Nothing was sent.'

/** Members of an entry that are not options of `run`. */
const ownMembers: readonly string[] = ['name', ...secretMembers]

/** Options of `run` that the fleet sets. */
const setByFleet: readonly string[] = [
  ...['out', 'config', 'plan', 'reporter', 'verbose', 'quiet', 'keepServer', 'manual', 'failed', 'watch'],
]

const entryOptions: readonly Option[] = [
  ...ownMembers.map((name) => new Option(`${spell(name)} <text>`)),
  ...runOptions().filter((option) => !setByFleet.includes(option.attributeName())),
]

const nameRule =
  '`name` must consist of 1 to 100 letters, digits, `-`, `_` and `.`, not begin with `-` or `.`, and not end in `.json`, `.html` or `.xml`.'

export type Entry = Awaited<ReturnType<typeof readEntries>>[number]

/** The entries of a file of targets, with validated options. @throws {UsageError} with every problem */
export async function readEntries(path: string) {
  const named = await collect(readTargets(path), async ({ line, entries }) => {
    // The position in the file, for messages.
    const where = place(path, line)
    const values = resolveConfig(path, entries, entryOptions)
    const ofRun = entries.filter(({ key }) => !ownMembers.includes(key))
    // As they stand in the file, for the configuration file of its run.
    const config: Readonly<Record<string, unknown>> = Object.fromEntries(ofRun.map(({ key, value }) => [key, value]))
    const name = String(values.get('name') ?? '')
    // The roll-up has files in the same folder, so their names are excluded.
    if (/^\w[\w.-]{0,99}(?<!\.(json|html|xml))$/.test(name)) return { name, where, config, values } as const
    throw new UsageError(`${where}: ${nameRule}`, hint)
  })
  rejectShared(named, ({ name }) => [name.toLowerCase()], 'name')
  rejectShared(named, addressesIn, 'target')
  return named
}

/** The members that name a running server, and an end of their URLs that is not part of its base. */
const addressMembers = { target: /(\/+api)?\/*$/, platformUrl: /(\/+v1)?\/*$/ }

/** The normalised addresses of the running servers that an entry names. */
function addressesIn({ values }: Pick<Entry, 'values'>): readonly string[] {
  return Object.entries(addressMembers).flatMap(([member, end]) => {
    const address = String(values.get(member) ?? '')
    if (!URL.canParse(address)) return []
    const url = new URL(address)
    if (url.hostname === 'localhost' || url.hostname === '[::1]') url.hostname = '127.0.0.1'
    return `${url.origin}${url.pathname.replace(end, '')}`
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
export async function collect<Item, Result>(items: readonly Item[], of: (item: Item) => Promise<Result>) {
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
const shape = z.strictObject({ defaults: mapping.default({}), targets: z.array(mapping).min(1, 'is empty') })

/** Reads a list of `targets`, and `defaults` for all of them, not yet validated. @throws {UsageError} */
function readTargets(path: string) {
  const text = readTextFile(path, { name: 'The file of targets', hint: shapeHint })
  const { lineOf } = parseOptions(path, text, shapeHint)
  const data = readShape(shape, path, text, shapeHint)
  const entriesOf = (options: Record<string, unknown>, ...steps: readonly PropertyKey[]): readonly ConfigEntry[] =>
    Object.entries(options).map(([key, value]) => ({ key, value, line: lineOf([...steps, key]) }))
  const defaults = entriesOf(data.defaults, 'defaults')
  return data.targets.map((options, index) => {
    const own = entriesOf(options, 'targets', index)
    const isOverridden = ({ key }: ConfigEntry) =>
      own.some((entry) => entry.key === key || (entry.value !== false && overriddenBy(entry.key).includes(key)))
    const kept = defaults.filter((entry) => !isOverridden(entry))
    return { line: lineOf(['targets', index]), entries: [...kept, ...own] }
  })
}
