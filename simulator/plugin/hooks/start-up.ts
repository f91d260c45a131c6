import type { RuleList } from '../model/rule-list.ts'
import type { Profile } from '../profile/profile.ts'
import {
  anyCopyName,
  byNumber,
  byText,
  copyParameters,
  parseCopy,
  parseCopyWithSemicolons,
  plainCopyName,
  withoutCopySpaces,
} from '../store/copy-parameters.ts'
import { decodeRules, encodeRules } from '../store/file-format.ts'
import { CannotStartError, type StartUpHooks } from '../store/start-up.ts'

export function startUpHooks(profile: Profile): StartUpHooks {
  const names = profile['plugin.start.copy-spelling'] === 'loaded' ? anyCopyName : plainCopyName
  const order = profile['plugin.start.copy-order'] === 'numeric' ? byNumber : byText
  const read = profile['plugin.start.copy-syntax'] === 'public' ? parseCopy : parseCopyWithSemicolons
  return {
    defaultPort: 8443,
    chooseSource: (fileExists) => (fileExists ? 'file' : 'parameters'),
    encodeFile: encodeRules,
    decodeFile: decodeRules,
    fileWins: () => true,
    replaceCorruptFile: () => {
      const answer = profile['plugin.start.file-corrupt']
      if (answer !== 'refuses-to-start') return answer
      throw new CannotStartError('The rules file cannot be read.', 'Delete the file, or restore it from a copy.')
    },
    fitFileToCapacity: fitToCapacity(profile['plugin.start.file-over-capacity'], 'The rules file'),
    findCopies: (parameters) => copyParameters(parameters, names, order),
    parseCopy: (text) => read(profile['plugin.start.copy-spaces'] === 'accepted' ? withoutCopySpaces(text) : text),
    joinCopies: joinCopies[profile['plugin.start.copy-unreadable']],
    fitCopiesToCapacity: fitToCapacity(profile['plugin.start.copy-over-capacity'], 'Copy_N'),
    savesCopies: profile['plugin.start.copy-saved'] === 'yes',
  }
}

const joinCopies: Readonly<Record<Profile['plugin.start.copy-unreadable'], StartUpHooks['joinCopies']>> = {
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
