import type { SourceOfRules } from './hooks/start-up.ts'
import type { RuleList } from './model/rule-list.ts'
import type { ResolvedOptions } from './options.ts'

type StartUpInput = Pick<ResolvedOptions, 'file' | 'parameters' | 'capacity' | 'hooks'>

export interface LoadedRules {
  readonly rules: RuleList
  readonly source: SourceOfRules | 'nothing'
  /** The names of the `Copy_N` that could not be read. */
  readonly unreadable: readonly string[]
  /** The number of rules that were left out, since the list holds no more. */
  readonly beyondCapacity: number
  /** Why the rules file could not be read; undefined if it could. */
  readonly corrupt: string | undefined
}

/**
 * The rules with which the plugin starts (clause 4.3).
 * @throws CannotStartError if the profile says so.
 */
export async function loadRules(start: StartUpInput): Promise<LoadedRules> {
  const { file, hooks } = start
  if (hooks.chooseSource(await file.exists(), start.parameters) === 'parameters') return loadCopies(start, undefined)
  const read = await readRules(start)
  if ('rules' in read) {
    if (!hooks.fileWins(read.rules)) return loadCopies(start, undefined)
    const rules = hooks.fitFileToCapacity(read.rules, start.capacity)
    const beyondCapacity = read.rules.length - rules.length
    return { rules, source: 'file', unreadable: [], beyondCapacity, corrupt: undefined }
  }
  return hooks.replaceCorruptFile() === 'parameters'
    ? loadCopies(start, read.corrupt)
    : { rules: [], source: 'nothing', unreadable: [], beyondCapacity: 0, corrupt: read.corrupt }
}

/** A folder of that name or a missing permission also counts as an unreadable file. */
async function readRules({ file, hooks }: StartUpInput): Promise<{ rules: RuleList } | { corrupt: string }> {
  try {
    return { rules: hooks.decodeFile((await file.read()) ?? new Uint8Array()) }
  } catch (error) {
    return { corrupt: error instanceof Error ? error.message : String(error) }
  }
}

async function loadCopies(start: StartUpInput, corrupt: string | undefined): Promise<LoadedRules> {
  const { file, parameters, capacity, hooks } = start
  const copies = hooks.findCopies(parameters).map(({ name, value }) => ({ name, rules: hooks.parseCopy(value) }))
  const joined = hooks.joinCopies(copies)
  const rules = hooks.fitCopiesToCapacity(joined, capacity)
  if (hooks.savesCopies && rules.length > 0) await file.write(hooks.encodeFile(rules))
  const unreadable = copies.filter((copy) => copy.rules === undefined).map(({ name }) => name)
  return { rules, source: 'parameters', unreadable, beyondCapacity: joined.length - rules.length, corrupt }
}
