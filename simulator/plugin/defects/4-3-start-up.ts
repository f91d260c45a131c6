import type { Hooks, Override } from '../hooks/hooks.ts'
import type { RuleList } from '../model/rule-list.ts'
import { type Defect, rows } from './defect.ts'
import { type Known, knowing } from './known.ts'
import { files } from './overrides.ts'

type Copies = ReturnType<Hooks['findCopies']>

/** A server that does not let the file win, but chooses between its rules and those of Copy_N. */
function choosesRules(choose: (copied: RuleList, known: Known, hasCopies: boolean) => RuleList): Override {
  return knowing(({ joinCopies }, known) => ({
    fileWins: () => false,
    joinCopies: (copies) => choose(joinCopies(copies), known, copies.length > 0),
  }))
}

/** A server that does not read every Copy_N, or others. */
function findsCopies(choose: (copies: Copies, parameters: Readonly<Record<string, string>>) => Copies): Override {
  return ({ findCopies }) => ({ findCopies: (parameters) => choose(findCopies(parameters), parameters) })
}

/** A server that restores the file from a copy that a start which loaded it has made. */
function restoringBackup(): Override {
  const backups = new WeakMap<object, RuleList>()
  return ({ decodeFile, joinCopies }, rulesFile = decodeFile) => ({
    decodeFile: (bytes) => {
      const rules = decodeFile(bytes)
      backups.set(rulesFile, rules)
      return rules
    },
    joinCopies: (copies) => {
      const rules = joinCopies(copies)
      const backup = backups.get(rulesFile)
      return rules.length > 0 && backup !== undefined ? backup : rules
    },
  })
}

/** Clause 4.3 rules 2 and 3: which rules a server starts with. */
export const startUpDefects: readonly Defect[] = [
  ...rows('plugin.start.file-wins', {
    'start.empty-file-is-no-file': [
      'A file with zero rules is treated as a missing file.',
      () => ({ fileWins: (rules) => rules.length > 0 }),
    ],
    'start.merges-copies-with-file': [
      'The rules of Copy_N are added to those of the file.',
      choosesRules((copied, { loaded }) => [...loaded, ...copied]),
    ],
  }),
  ...rows(['plugin.start.file-wins', 'plugin.start.parameters-can-be-changed'], {
    'start.copies-win-over-file': [
      'The file is ignored if there is a Copy_N.',
      choosesRules((copied, { loaded }, hasCopies) => (hasCopies ? copied : loaded)),
    ],
  }),
  ...rows('plugin.persist.list', {
    'start.file-needs-copies': [
      'The file is read only if there is a Copy_N.',
      choosesRules((copied, { loaded, foundFile }, hasCopies) => (hasCopies ? (foundFile ? loaded : copied) : [])),
    ],
  }),
  ...rows(['plugin.start.parameters', 'plugin.start.reset', 'plugin.start.all-parameters'], {
    'start.missing-file-is-empty': [
      'A missing file is treated as a file with zero rules.',
      () => ({ chooseSource: () => 'file', replaceCorruptFile: () => 'empty' }),
    ],
  }),
  ...rows(['plugin.start.parameters', 'plugin.start.all-parameters', 'plugin.start.reset'], {
    'start.only-the-last-copy': [
      'Each Copy_N replaces the one before it.',
      ({ joinCopies }) => ({ joinCopies: (copies) => joinCopies(copies.slice(-1)) }),
    ],
  }),
  ...rows('plugin.start.parameters', {
    'start.value-of-copy-as-integer': [
      'The value of a Copy_N is read as an integer, and 0 becomes 1.',
      ({ parseCopy }) => ({
        parseCopy: (value) => parseCopy(value)?.map((rule) => ({ ...rule, value: Math.trunc(rule.value) || 1 })),
      }),
    ],
    'start.demo-rule': [
      'A server without rules starts with an example rule.',
      ({ joinCopies }) => ({
        joinCopies: (copies) =>
          copies.length > 0
            ? joinCopies(copies)
            : [{ master: 1n, follower: 2n, mode: 'mult', value: 1, direction: 'same' }],
      }),
    ],
  }),
  ...rows('plugin.start.all-parameters', {
    'start.only-the-first-two-followers': [
      'A Copy_N value creates at most two rules.',
      ({ parseCopy }) => ({ parseCopy: (value) => parseCopy(value)?.slice(0, 2) }),
    ],
    'start.copies-with-any-suffix': [
      'Every parameter whose name begins with Copy_ is loaded.',
      findsCopies((copies, parameters) => {
        const others = Object.entries(parameters).filter(([name]) => /^Copy_\D/.test(name))
        return [...copies, ...others.map(([name, value]) => ({ name, number: '0', value }))]
      }),
    ],
    'start.copies-end-at-gap': [
      'Copy_N are read only up to the first missing number.',
      findsCopies((copies) => {
        const first = Number(copies[0]?.number)
        return copies.filter(({ number }, place) => Number(number) === first + place)
      }),
    ],
    'start.copies-begin-at-one': [
      'Copy_0 is not read.',
      findsCopies((copies) => copies.filter(({ number }) => number !== '0')),
    ],
    'start.copies-end-at-32': [
      'Only Copy_1 to Copy_32 are read.',
      findsCopies((copies) => copies.filter(({ number }) => Number(number) <= 32)),
    ],
    'start.copies-end-at-99': [
      'Copy_N with a number of three digits are not read.',
      findsCopies((copies) => copies.filter(({ number }) => Number(number) <= 99)),
    ],
  }),
  ...rows('plugin.start.parameters-can-be-changed', {
    'start.copies-cannot-be-removed': [
      'DELETE of a rule from Copy_N returns 404.',
      knowing(({ holdsPosition }, known) => ({
        holdsPosition: (rules, position) =>
          holdsPosition(rules, position) && !known.copied.some((rule) => rule === rules[position]),
      })),
    ],
    'start.copies-are-not-saved': [
      'The file holds only the rules added through the API, not those of Copy_N.',
      files((rules, { copied }) => rules.filter((rule) => !copied.includes(rule))),
    ],
  }),
  ...rows('plugin.add.index-of-new-rule', {
    'start.copies-not-counted-in-the-index': [
      'The returned index does not count the rules of Copy_N.',
      knowing(({ reportedIndex }, known) => ({
        reportedIndex: (position, total) => {
          const listed = known.rules.filter((rule) => known.copied.includes(rule)).length
          return reportedIndex(Math.max(0, position - listed), total)
        },
      })),
      [{ answers: { 'plugin.add.position': 'start' } }],
    ],
  }),
  ...rows('plugin.start.reset', {
    'start.backup-restored': [
      'A start with the file keeps a copy of it, which a start without the file loads instead of Copy_N.',
      restoringBackup(),
    ],
  }),
]
