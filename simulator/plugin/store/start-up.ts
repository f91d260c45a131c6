import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { CopyParameter, Parameters } from './copy-parameters.ts'
import type { RulesFile } from './rules-file.ts'

/** The plugin does not start with this rules file or these parameters, as its profile says. */
export class CannotStartError extends Error {
  override readonly name = 'CannotStartError'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

export type SourceOfRules = 'file' | 'parameters'

/** One `Copy_N` parameter and its rules; undefined if it cannot be parsed. */
export interface ParsedCopy {
  readonly name: string
  readonly rules: readonly Rule[] | undefined
}

/** The decisions of a start. Those that receive a list may return a shorter one, or throw. */
export interface StartUpHooks {
  /** The port if there is no parameter API_Port (clause 8). */
  readonly defaultPort: number
  /** Clause 4.3 rule 2: the file if it exists, otherwise the parameters. */
  readonly chooseSource: (fileExists: boolean, parameters: Parameters) => SourceOfRules
  readonly encodeFile: (rules: RuleList) => Uint8Array
  /** Throws if the bytes are not a rules file. */
  readonly decodeFile: (bytes: Uint8Array) => RuleList
  /** Whether the rules of the file are used even if it has none. */
  readonly fileWins: (rules: RuleList) => boolean
  /** What is used instead of a file that cannot be read. */
  readonly replaceCorruptFile: () => 'empty' | 'parameters'
  readonly fitFileToCapacity: (rules: RuleList, capacity: number) => RuleList
  /** The `Copy_N` parameters, in the order of loading. */
  readonly findCopies: (parameters: Parameters) => readonly CopyParameter[]
  readonly parseCopy: (value: string) => readonly Rule[] | undefined
  /** The rules of all `Copy_N` parameters, some of which may be unreadable. */
  readonly joinCopies: (copies: readonly ParsedCopy[]) => RuleList
  readonly fitCopiesToCapacity: (rules: RuleList, capacity: number) => RuleList
  /** Whether rules from the parameters are written to the file at once. */
  readonly savesCopies: boolean
}

export interface StartUpInput {
  readonly file: RulesFile
  readonly parameters: Parameters
  readonly capacity: number
  readonly hooks: StartUpHooks
}

export interface LoadedRules {
  readonly rules: RuleList
  readonly source: SourceOfRules | 'nothing'
  /** The names of the `Copy_N` that could not be read. */
  readonly unreadable: readonly string[]
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
    return { rules, source: 'file', unreadable: [], corrupt: undefined }
  }
  return hooks.replaceCorruptFile() === 'parameters'
    ? loadCopies(start, read.corrupt)
    : { rules: [], source: 'nothing', unreadable: [], corrupt: read.corrupt }
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
  const rules = hooks.fitCopiesToCapacity(hooks.joinCopies(copies), capacity)
  if (hooks.savesCopies && rules.length > 0) await file.write(hooks.encodeFile(rules))
  const unreadable = copies.filter((copy) => copy.rules === undefined).map(({ name }) => name)
  return { rules, source: 'parameters', unreadable, corrupt }
}
