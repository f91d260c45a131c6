import type { Hooks } from '../hooks/hooks.ts'
import type { RuleList } from '../model/rule-list.ts'
import type { Defect } from './defect.ts'

type JoinCopies = Hooks['joinCopies']
type FoundCopies = ReturnType<Hooks['findCopies']>

/** A server that does not let the file win, but chooses between its rules and those of Copy_N. */
function choosesRules(
  choose: (copies: Parameters<JoinCopies>[0], join: JoinCopies, fromFile?: RuleList) => RuleList,
): Defect['override'] {
  return ({ joinCopies }) => {
    let fromFile: RuleList | undefined
    return {
      fileWins: (rules) => {
        fromFile = rules
        return false
      },
      joinCopies: (copies) => choose(copies, joinCopies, fromFile),
    }
  }
}

/** A server that does not read every Copy_N. */
function findsCopies(choose: (copies: FoundCopies) => FoundCopies): Defect['override'] {
  return ({ findCopies }) => ({ findCopies: (parameters) => choose(findCopies(parameters)) })
}

/** A server that treats the rules of Copy_N differently from the others. */
function knowingCopies(change: (hooks: Hooks, fromCopies: () => RuleList) => Partial<Hooks>): Defect['override'] {
  return (hooks) => {
    let fromCopies: RuleList = []
    return {
      joinCopies: (copies) => {
        fromCopies = hooks.joinCopies(copies)
        return fromCopies
      },
      ...change(hooks, () => fromCopies),
    }
  }
}

/** A server that restores the file from a copy that a start which loaded it has made. */
function restoringBackup(): Defect['override'] {
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
  {
    id: 'start.empty-file-is-no-file',
    breaks: ['plugin.start.file-wins'],
    summary: 'A file with zero rules is treated as a missing file.',
    override: () => ({ fileWins: (rules) => rules.length > 0 }),
  },
  {
    id: 'start.merges-copies-with-file',
    breaks: ['plugin.start.file-wins'],
    summary: 'The rules of Copy_N are added to those of the file.',
    override: choosesRules((copies, join, fromFile = []) => [...fromFile, ...join(copies)]),
  },
  {
    id: 'start.copies-win-over-file',
    breaks: ['plugin.start.file-wins', 'plugin.start.parameters-can-be-changed'],
    summary: 'The file is ignored if there is a Copy_N.',
    override: choosesRules((copies, join, fromFile = []) => (copies.length > 0 ? join(copies) : fromFile)),
  },
  {
    id: 'start.file-needs-copies',
    breaks: ['plugin.persist.list'],
    summary: 'The file is read only if there is a Copy_N.',
    override: choosesRules((copies, join, fromFile) => (copies.length > 0 ? (fromFile ?? join(copies)) : [])),
  },
  {
    id: 'start.missing-file-is-empty',
    breaks: ['plugin.start.parameters', 'plugin.start.reset', 'plugin.start.all-parameters'],
    summary: 'A missing file is treated as a file with zero rules.',
    override: () => ({ chooseSource: () => 'file', replaceCorruptFile: () => 'empty' }),
  },
  {
    id: 'start.only-the-last-copy',
    breaks: ['plugin.start.parameters', 'plugin.start.all-parameters', 'plugin.start.reset'],
    summary: 'Each Copy_N replaces the one before it.',
    override: ({ joinCopies }) => ({ joinCopies: (copies) => joinCopies(copies.slice(-1)) }),
  },
  {
    id: 'start.value-of-copy-as-integer',
    breaks: ['plugin.start.parameters'],
    summary: 'The value of a Copy_N is read as an integer, and 0 becomes 1.',
    override: ({ parseCopy }) => ({
      parseCopy: (value) => parseCopy(value)?.map((rule) => ({ ...rule, value: Math.trunc(rule.value) || 1 })),
    }),
  },
  {
    id: 'start.demo-rule',
    breaks: ['plugin.start.parameters'],
    summary: 'A server without rules starts with an example rule.',
    override: ({ joinCopies }) => ({
      joinCopies: (copies) =>
        copies.length > 0
          ? joinCopies(copies)
          : [{ master: 1n, follower: 2n, mode: 'mult', value: 1, direction: 'same' }],
    }),
  },
  {
    id: 'start.only-the-first-two-followers',
    breaks: ['plugin.start.all-parameters'],
    summary: 'A Copy_N value creates at most two rules.',
    override: ({ parseCopy }) => ({ parseCopy: (value) => parseCopy(value)?.slice(0, 2) }),
  },
  {
    id: 'start.copies-with-any-suffix',
    breaks: ['plugin.start.all-parameters'],
    summary: 'Every parameter whose name begins with Copy_ is loaded.',
    override: ({ findCopies }) => ({
      findCopies: (parameters) => [
        ...findCopies(parameters),
        ...Object.entries(parameters).flatMap(([name, value]) =>
          /^Copy_\D/.test(name) ? [{ name, number: '0', value }] : [],
        ),
      ],
    }),
  },
  {
    id: 'start.copies-end-at-gap',
    breaks: ['plugin.start.all-parameters'],
    summary: 'Copy_N are read only up to the first missing number.',
    override: findsCopies((copies) => {
      const first = Number(copies[0]?.number)
      return copies.filter(({ number }, place) => Number(number) === first + place)
    }),
  },
  {
    id: 'start.copies-begin-at-one',
    breaks: ['plugin.start.all-parameters'],
    summary: 'Copy_0 is not read.',
    override: findsCopies((copies) => copies.filter(({ number }) => number !== '0')),
  },
  {
    id: 'start.copies-end-at-32',
    breaks: ['plugin.start.all-parameters'],
    summary: 'Only Copy_1 to Copy_32 are read.',
    override: findsCopies((copies) => copies.filter(({ number }) => Number(number) <= 32)),
  },
  {
    id: 'start.copies-end-at-99',
    breaks: ['plugin.start.all-parameters'],
    summary: 'Copy_N with a number of three digits are not read.',
    override: findsCopies((copies) => copies.filter(({ number }) => Number(number) <= 99)),
  },
  {
    id: 'start.copies-cannot-be-removed',
    breaks: ['plugin.start.parameters-can-be-changed'],
    summary: 'DELETE of a rule from Copy_N returns 404.',
    override: knowingCopies(({ holdsPosition }, fromCopies) => ({
      holdsPosition: (rules, position) => {
        const rule = rules[position]
        return holdsPosition(rules, position) && !(rule && fromCopies().includes(rule))
      },
    })),
  },
  {
    id: 'start.copies-are-not-saved',
    breaks: ['plugin.start.parameters-can-be-changed'],
    summary: 'The file holds only the rules added through the API, not those of Copy_N.',
    override: knowingCopies(({ encodeFile }, fromCopies) => ({
      encodeFile: (rules) => encodeFile(rules.filter((rule) => !fromCopies().includes(rule))),
    })),
  },
  {
    id: 'start.copies-not-counted-in-the-index',
    breaks: ['plugin.add.index-of-new-rule'],
    maskedBy: [{ answers: { 'plugin.add.position': 'start' } }],
    summary: 'The returned index does not count the rules of Copy_N.',
    override: knowingCopies(({ addRule, reportedIndex }, fromCopies) => {
      let listed = 0
      return {
        addRule: (rules, rule) => {
          listed = rules.filter((one) => fromCopies().includes(one)).length
          return addRule(rules, rule)
        },
        reportedIndex: (position, total) => reportedIndex(Math.max(0, position - listed), total),
      }
    }),
  },
  {
    id: 'start.backup-restored',
    breaks: ['plugin.start.reset'],
    summary: 'A start with the file keeps a copy of it, which a start without the file loads instead of Copy_N.',
    override: restoringBackup(),
  },
]
