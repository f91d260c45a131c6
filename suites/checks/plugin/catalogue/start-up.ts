import type { PluginQuestionId } from '../../../../spec/plugin/questions.ts'
import { copyValue, publicCopySyntax } from '../../../model/copy-syntax.ts'
import { type Draft, haveSameLogins } from '../../../model/rule.ts'
import { idAndTitle, type Observation, type ObservedAnswer } from '../../../session/check.ts'
import type { LaunchedServer, Session } from '../../../session/session.ts'
import { ownServer } from '../scopes.ts'
import type { AnswersByStatus } from './observe.ts'
import type { Id } from './row.ts'

/** A start, and the answer for each list of numbers that the server may load; `none` if it does not start. */
interface StartRow {
  readonly question: PluginQuestionId
  /** Besides `launch`. Default: none. */
  readonly needs?: 'rules-file' | 'capacity'
  /** The parameters that load rules. */
  readonly copy: (numbers: Numbered) => Readonly<Record<string, string>>
  /** Runs before the start. */
  readonly before?: (server: LaunchedServer, numbers: Numbered) => Promise<void>
  /** Compares without regard to the order. */
  readonly sorted?: true
  readonly answers: AnswersByStatus
}

const overCapacity = { '1,2': 'first', '1,2,3': 'all', none: 'refuses-to-start' } as const

const starts: Readonly<Record<`${Id} ${string}`, StartRow>> = {
  'CQ-501 A start with Copy_2 and Copy_10 shows the order of loading': {
    question: 'plugin.start.copy-order',
    copy: ({ copy }) => copy(2, 10),
    // In a server that lists the newest rule first, the loading order shows at the end.
    answers: { '2,10': 'numeric', '10,2': 'lexical' },
  },
  'CQ-502 A start with Copy_007 and Copy_1 shows whether leading zeros are accepted': {
    question: 'plugin.start.copy-spelling',
    copy: ({ copy, parameterOf }) => ({ ...copy(1), Copy_007: parameterOf(7) }),
    sorted: true,
    answers: { '1,7': 'loaded', '1': 'ignored' },
  },
  'CQ-504 A start with Copy_2=garbage shows what happens to the other Copy_N rules': {
    question: 'plugin.start.copy-unreadable',
    copy: ({ copy }) => ({ ...copy(1, 3), Copy_2: 'garbage' }),
    sorted: true,
    answers: { '1,3': 'skipped', '': 'none-loaded', none: 'refuses-to-start' },
  },
  'CQ-505 A start with three Copy_N rules and a capacity of two shows which rules are loaded': {
    question: 'plugin.start.copy-over-capacity',
    needs: 'capacity',
    copy: ({ copy }) => copy(1, 2, 3),
    answers: overCapacity,
  },
  'CQ-506 A restart with a changed Copy_1 shows whether the first start created a rules file': {
    question: 'plugin.start.copy-saved',
    copy: ({ copy }) => copy(1),
    async before(server, { parameterOf }) {
      await server.start()
      await server.stop()
      await server.configure({ copy: { Copy_1: parameterOf(5) } })
    },
    answers: { '5': 'no', '1': 'yes' },
  },
  'CQ-507 A start with an unreadable rules file and with Copy_1 shows which rules are loaded': {
    question: 'plugin.start.file-corrupt',
    needs: 'rules-file',
    copy: ({ copy }) => copy(1),
    before: (server) => server.writeRulesFile('\u0001 this is no rules file \u0002\n'.repeat(20)),
    answers: { '': 'empty', '1': 'parameters', none: 'refuses-to-start' },
  },
  'CQ-508 A start with three rules in the rules file and a capacity of two shows which rules are loaded': {
    question: 'plugin.start.file-over-capacity',
    needs: 'capacity',
    copy: ({ copy }) => copy(1, 2, 3),
    async before(server, { copy }) {
      // With a larger capacity it writes a file of three rules.
      await server.configure({ capacity: 10, copy: copy(1, 2, 3) })
      await server.start()
      const [spare] = await server.rules.arrange(1)
      await server.rules.remove(spare)
      await server.stop()
      await server.configure({ capacity: 2, copy: {} })
    },
    answers: overCapacity,
  },
}

type Numbered = ReturnType<typeof numbered>

function numbered({ rules: { draft }, copySyntax }: Pick<Session, 'rules' | 'copySyntax'>) {
  const drafts = new Map<number, Draft>()
  const parameterOf = (n: number) => {
    const rule = drafts.get(n) ?? draft({ mode: 'mult', value: 1, direction: 'same' })
    drafts.set(n, rule)
    return copyValue(copySyntax, rule)
  }
  return {
    parameterOf,
    copy: (...numbers: readonly number[]) => Object.fromEntries(numbers.map((n) => [`Copy_${n}`, parameterOf(n)])),
    /** The numbers of the listed rules, in the order of the list; null if the server does not respond. */
    async startedWith(server: LaunchedServer): Promise<readonly number[] | null> {
      if (!(await server.tryStart())) return null
      const numberOf = (rule: Draft) => [...drafts].find(([, draft]) => haveSameLogins(rule, draft))?.[0] ?? -1
      return (await server.rules.read()).map(numberOf)
    },
  }
}

function answerByList(loaded: readonly number[] | null, answers: AnswersByStatus): ObservedAnswer {
  const answer = answers[loaded?.join() ?? 'none'] ?? null
  if (loaded === null) return { answer, seen: 'the API does not answer' }
  const names = loaded.map((n) => `Copy_${n}`).join(', ')
  return { answer, seen: loaded.length === 0 ? 'no rules' : `the rules of ${names}` }
}

function observationOf(name: string, { question, needs, copy, before, sorted, answers }: StartRow): Observation {
  return {
    ...{ ...idAndTitle(name), question, risk: 'write', copies: true },
    needs: needs === undefined ? ['launch'] : ['launch', needs],
    async run(session) {
      const numbers = numbered(session)
      const capacity = needs === 'capacity' ? { capacity: 2 } : {}
      const server = await session.prepare({ ...capacity, copy: copy(numbers) })
      await before?.(server, numbers)
      const loaded = await numbers.startedWith(server)
      return answerByList((sorted ? loaded?.toSorted() : loaded) ?? null, answers)
    },
  }
}

/** Questions about the rules with which a server starts. */
export const startUpObservations: readonly Observation[] = [
  ...Object.entries(starts).map(([name, row]) => observationOf(name, row)),
  {
    ...idAndTitle('CQ-503 A start with spaces in a Copy_N value shows whether the value is accepted'),
    question: 'plugin.start.copy-spaces',
    ...ownServer,
    copies: true,
    async run(session) {
      const { copy, parameterOf, startedWith } = numbered(session)
      const spaced = parameterOf(2).replace(/[>,;]/g, ' $& ')
      const seen = await startedWith(await session.prepare({ copy: { ...copy(1), Copy_2: spaced } }))
      const accepted = seen?.includes(2) === true
      return { answer: accepted ? 'accepted' : 'unreadable', seen: seen === null ? 'the API does not answer' : '' }
    },
  },
  {
    // Checks with `copies` need to know the syntax, which this one finds out.
    ...idAndTitle('CQ-509 A start with Copy_1 in the public syntax shows whether the rule is loaded'),
    question: 'plugin.start.copy-syntax',
    ...ownServer,
    async run(session) {
      const { copy, startedWith } = numbered({ rules: session.rules, copySyntax: publicCopySyntax })
      const seen = await startedWith(await session.prepare({ copy: copy(1) }))
      return answerByList(seen, { '1': 'public', '': 'other', none: 'other' })
    },
  },
]
