import { dirname, join, relative, sep } from 'node:path'
import { UsageError } from '../command-error.ts'
import { requireFolder } from '../files.ts'
import { type Fleet, readFleet, type Shard } from '../fleet-document.ts'
import { fleetText, rollUp, writeFleet } from './roll-up.ts'

/** Merges several `fleet.json` files, writes the roll-up and returns the exit code. */
export async function mergeFleets(paths: readonly string[], out: string): Promise<number> {
  const parts = paths.map((path) => ({ path, fleet: readFleet(path) }))
  const fleet = mergedFleet(parts, out)
  await requireFolder(out, '`--out`')
  const page = await writeFleet(fleet, out)
  process.stdout.write(`${fleetText(fleet)}Roll-up: ${page}\n`)
  return fleet.exitCode
}

const inNaturalOrder = new Intl.Collator('en', { numeric: true })

interface Part {
  readonly path: string
  readonly fleet: Fleet
}

/** Merges the parts into one fleet in the folder `out`. @throws {UsageError} for what is in two files */
export function mergedFleet(parts: readonly Part[], out: string): Fleet {
  const fleets = parts.map(({ fleet }) => fleet)
  rejectRepeated(parts)
  const starts = fleets.map(({ startedAt }) => Date.parse(startedAt))
  const ends = fleets.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs)
  const requirements = fleets.flatMap((one) => one.requirements)
  const installs = parts.flatMap(({ path, fleet }) =>
    fleet.installs.map((install) => {
      const folder = relative(out, join(dirname(path), install.folder))
      // A relative URL for links.
      return { ...install, folder: folder.replaceAll(sep, '/') }
    }),
  )
  const sorted = installs.toSorted((one, other) => inNaturalOrder.compare(one.name, other.name))
  return rollUp(sorted, {
    startedAt: new Date(Math.min(...starts)),
    durationMs: Math.max(...ends) - Math.min(...starts),
    shard: null,
    missingShards: missingIn(fleets),
    requirements: [...new Map(requirements.map((one) => [one.id, one])).values()],
  })
}

function rejectRepeated(parts: readonly Part[]): void {
  const owners = new Map<string, string>()
  for (const { path, fleet } of parts) {
    const shard = fleet.shard === null ? [] : [`part ${fleet.shard.index}/${fleet.shard.count}`]
    for (const what of [...shard, ...fleet.installs.map(({ name }) => `install ${name}`)]) {
      const owner = owners.get(what)
      if (owner !== undefined) {
        throw new UsageError(`The ${what} is in ${owner} and in ${path}.`, 'Give the files of one fleet, each once.')
      }
      owners.set(what, path)
    }
  }
}

/** The parts that no file has. @throws {UsageError} for parts of fleets with different targets or divisions */
function missingIn(fleets: readonly Fleet[]): Shard[] {
  const shards = fleets.flatMap(({ shard, missingShards }) => shard ?? missingShards)
  const [first, ...others] = new Map(shards.map((one) => [`${one.count} ${one.targets}`, one])).values()
  if (others.length > 0) {
    const message = 'The files are parts of fleets with different targets, or with different numbers of parts.'
    throw new UsageError(message, 'Give the files of one fleet.')
  }
  const all = first === undefined ? [] : Array.from({ length: first.count }, (_, at) => ({ ...first, index: at + 1 }))
  return all.filter(({ index }) => fleets.every((fleet) => lacks(fleet, index)))
}

/** Whether a file lacks this part. An undivided fleet has none of the parts of a divided one. */
function lacks({ shard, missingShards }: Fleet, index: number): boolean {
  if (shard !== null) return shard.index !== index
  return missingShards.length === 0 || missingShards.some((one) => one.index === index)
}
