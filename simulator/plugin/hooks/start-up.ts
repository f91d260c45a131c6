import type { Rule } from '../model/rule.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Profile } from '../profile/profile.ts'
import {
  anyCopyName,
  byNumber,
  byText,
  type CopyParameter,
  copyParameters,
  type Parameters,
  parseCopy,
  parseCopyWithSemicolons,
  plainCopyName,
  withoutCopySpaces,
} from '../store/copy-parameters.ts'
import { decodeRules, encodeRules } from '../store/file-format.ts'

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

/** The decisions of a start (clause 4.3). Those that receive a list may return a shorter one, or throw. */
export function startUpHooks(profile: Profile) {
  const names = profile['plugin.start.copy-spelling'] === 'loaded' ? anyCopyName : plainCopyName
  const order = profile['plugin.start.copy-order'] === 'numeric' ? byNumber : byText
  const read = profile['plugin.start.copy-syntax'] === 'public' ? parseCopy : parseCopyWithSemicolons
  return {
    /** The port if there is no parameter API_Port (clause 8). */
    defaultPort: 8443,
    /** Clause 4.3 rule 2: the file if it exists, otherwise the parameters. */
    chooseSource: (fileExists: boolean, _parameters: Parameters): SourceOfRules => (fileExists ? 'file' : 'parameters'),
    encodeFile: encodeRules,
    /** Throws if the bytes are not a rules file. */
    decodeFile: decodeRules,
    /** Whether the rules of the file are used even if it has none. */
    fileWins: (_rules: RuleList): boolean => true,
    /** What is used instead of a file that cannot be read. */
    replaceCorruptFile: (): 'empty' | 'parameters' => {
      const answer = profile['plugin.start.file-corrupt']
      if (answer !== 'refuses-to-start') return answer
      throw new CannotStartError('The rules file cannot be read.', 'Delete the file, or restore it from a copy.')
    },
    fitFileToCapacity: fitToCapacity(profile['plugin.start.file-over-capacity'], 'The rules file'),
    /** The `Copy_N` parameters, in the order of loading. */
    findCopies: (parameters: Parameters): readonly CopyParameter[] => copyParameters(parameters, names, order),
    parseCopy: (value: string): readonly Rule[] | undefined =>
      read(profile['plugin.start.copy-spaces'] === 'accepted' ? withoutCopySpaces(value) : value),
    /** The rules of all `Copy_N` parameters, some of which may be unreadable. */
    joinCopies: joinCopies[profile['plugin.start.copy-unreadable']],
    fitCopiesToCapacity: fitToCapacity(profile['plugin.start.copy-over-capacity'], 'Copy_N'),
    /** Whether rules from the parameters are written to the file at once. */
    savesCopies: profile['plugin.start.copy-saved'] === 'yes',
  }
}

type JoinCopies = (copies: readonly ParsedCopy[]) => RuleList

const joinCopies: Readonly<Record<Profile['plugin.start.copy-unreadable'], JoinCopies>> = {
  skipped: (copies) => copies.flatMap(({ rules }) => rules ?? []),
  'none-loaded': (copies) =>
    copies.some(({ rules }) => rules === undefined) ? [] : copies.flatMap(({ rules }) => rules ?? []),
  'refuses-to-start': (copies) =>
    copies.flatMap(({ name, rules }) => {
      if (rules !== undefined) return rules
      throw new CannotStartError(
        `The parameter ${name} cannot be read.`,
        'Write it as Master>Follower1,Follower2,...,mode,value,direction.',
      )
    }),
}

function fitToCapacity(answer: 'first' | 'all' | 'refuses-to-start', source: string) {
  return (rules: RuleList, capacity: number): RuleList => {
    if (answer === 'all' || rules.length <= capacity) return rules
    if (answer === 'first') return rules.slice(0, capacity)
    throw new CannotStartError(
      `${source} holds ${rules.length} rules, more than the capacity of ${capacity}.`,
      'Raise the capacity or remove rules.',
    )
  }
}
