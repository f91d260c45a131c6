import { copyValue, publicCopySyntax } from '../../../model/copy-syntax.ts'
import type { Draft, Rule } from '../../../model/rule.ts'
import type { Observation, ObservedAnswer } from '../../../session/check.ts'
import type { LaunchedServer } from '../../../session/servers.ts'
import type { Session } from '../../../session/session.ts'
import { ownServer } from '../scopes.ts'

/** They load rules from `Copy_N`. */
const withCopies = { ...ownServer, copies: true } as const
const withCapacity = { risk: 'write', needs: ['launch', 'capacity'], copies: true } as const

/** Rules of the kit, each with a number. */
interface Numbered {
  /** The parameters `Copy_n` for each n. */
  copy(...numbers: readonly number[]): Record<string, string>
  /** The value of the parameter `Copy_n`. */
  parameterOf(n: number): string
  /** The numbers of the listed rules, in the order of the list; null if the server does not answer. */
  startedWith(server: LaunchedServer): Promise<readonly number[] | null>
}

function numbered({ rules: { draft }, copySyntax }: Pick<Session, 'rules' | 'copySyntax'>): Numbered {
  const drafts = new Map<number, Draft>()
  const ruleOf = (n: number) => {
    const rule = drafts.get(n) ?? draft({ mode: 'mult', value: 1, direction: 'same' })
    drafts.set(n, rule)
    return rule
  }
  const numberOf = ({ master, follower }: Rule) =>
    [...drafts].find(([, rule]) => rule.master === master && rule.follower === follower)?.[0] ?? -1
  return {
    copy: (...numbers) => Object.fromEntries(numbers.map((n) => [`Copy_${n}`, copyValue(copySyntax, ruleOf(n))])),
    parameterOf: (n) => copyValue(copySyntax, ruleOf(n)),
    async startedWith(server) {
      if (!(await server.tryStart())) return null
      return (await server.rules.read()).map(numberOf)
    },
  }
}

/** The answer with this list of numbers; `null` stands for a server that does not start. */
function answerByList(
  seen: readonly number[] | null,
  answers: Readonly<Record<string, readonly number[] | null>>,
): ObservedAnswer {
  const wanted = JSON.stringify(seen)
  const answer = Object.keys(answers).find((name) => JSON.stringify(answers[name]) === wanted) ?? null
  if (seen === null) return { answer, seen: 'the API does not answer' }
  return { answer, seen: seen.length === 0 ? 'no rules' : `the rules of ${seen.map((n) => `Copy_${n}`).join(', ')}` }
}

async function lookAtOverflow(
  session: Session,
  make: (server: LaunchedServer, numbers: Numbered) => Promise<void>,
): Promise<ObservedAnswer> {
  const numbers = numbered(session)
  const server = await session.prepare({ capacity: 2, copy: numbers.copy(1, 2, 3) })
  await make(server, numbers)
  return answerByList(await numbers.startedWith(server), {
    first: [1, 2],
    all: [1, 2, 3],
    'refuses-to-start': null,
  })
}

/** The server writes a file of three rules with a larger capacity. */
async function writeThreeRules(server: LaunchedServer, { copy }: Numbered): Promise<void> {
  await server.configure({ capacity: 10, copy: copy(1, 2, 3) })
  await server.start()
  const [spare] = await server.rules.arrange(1)
  await server.rules.remove(spare)
  await server.stop()
  await server.configure({ capacity: 2, copy: {} })
}

/** Questions about what a server starts with. */
export const startUpObservations: readonly Observation[] = [
  {
    id: 'CQ-509',
    question: 'plugin.start.copy-syntax',
    title: 'A start with Copy_1 in the public syntax shows whether the rule is loaded',
    ...ownServer,
    async run(session) {
      const { copy, startedWith } = numbered({ rules: session.rules, copySyntax: publicCopySyntax })
      const seen = await startedWith(await session.prepare({ copy: copy(1) }))
      return answerByList(seen, { public: [1], other: seen === null ? null : [] })
    },
  },
  {
    id: 'CQ-501',
    question: 'plugin.start.copy-order',
    title: 'A start with Copy_2 and Copy_10 shows the order of loading',
    ...withCopies,
    async run(session) {
      const { copy, startedWith } = numbered(session)
      const seen = await startedWith(await session.prepare({ copy: copy(2, 10) }))
      // A server that lists the newest rule first shows the order of loading from its end.
      return answerByList(seen, { numeric: [2, 10], lexical: [10, 2] })
    },
  },
  {
    id: 'CQ-502',
    question: 'plugin.start.copy-spelling',
    title: 'A start with Copy_007 and Copy_1 shows whether leading zeros are accepted',
    ...withCopies,
    async run(session) {
      const { copy, parameterOf, startedWith } = numbered(session)
      const server = await session.prepare({ copy: { ...copy(1), Copy_007: parameterOf(7) } })
      const seen = await startedWith(server)
      return answerByList(seen?.toSorted() ?? null, { loaded: [1, 7], ignored: [1] })
    },
  },
  {
    id: 'CQ-503',
    question: 'plugin.start.copy-spaces',
    title: 'A start with spaces in a Copy_N value shows whether the value is accepted',
    ...withCopies,
    async run(session) {
      const { copy, parameterOf, startedWith } = numbered(session)
      const spaced = parameterOf(2).replace(/[>,;]/g, ' $& ')
      const server = await session.prepare({ copy: { ...copy(1), Copy_2: spaced } })
      const seen = await startedWith(server)
      const accepted = seen?.includes(2) === true
      return { answer: accepted ? 'accepted' : 'unreadable', seen: seen === null ? 'the API does not answer' : '' }
    },
  },
  {
    id: 'CQ-504',
    question: 'plugin.start.copy-unreadable',
    title: 'A start with Copy_2=garbage shows what happens to the other Copy_N rules',
    ...withCopies,
    async run(session) {
      const { copy, startedWith } = numbered(session)
      const seen = await startedWith(await session.prepare({ copy: { ...copy(1, 3), Copy_2: 'garbage' } }))
      return answerByList(seen?.toSorted() ?? null, { skipped: [1, 3], 'none-loaded': [], 'refuses-to-start': null })
    },
  },
  {
    id: 'CQ-505',
    question: 'plugin.start.copy-over-capacity',
    title: 'A start with three Copy_N rules and a capacity of two shows which rules are loaded',
    ...withCapacity,
    run: (session) => lookAtOverflow(session, async () => undefined),
  },
  {
    id: 'CQ-506',
    question: 'plugin.start.copy-saved',
    title: 'A restart with a changed Copy_1 shows whether the first start created a rules file',
    ...withCopies,
    async run(session) {
      const { copy, parameterOf, startedWith } = numbered(session)
      const server = await session.prepare({ copy: copy(1) })
      await server.start()
      await server.stop()
      await server.configure({ copy: { Copy_1: parameterOf(5) } })
      return answerByList(await startedWith(server), { no: [5], yes: [1] })
    },
  },
  {
    id: 'CQ-507',
    question: 'plugin.start.file-corrupt',
    title: 'A start with an unreadable rules file and with Copy_1 shows which rules are loaded',
    risk: 'write',
    needs: ['launch', 'rules-file'],
    copies: true,
    async run(session) {
      const { copy, startedWith } = numbered(session)
      const server = await session.prepare({ copy: copy(1) })
      await server.writeRulesFile('\u0001 this is no rules file \u0002\n'.repeat(20))
      return answerByList(await startedWith(server), { empty: [], parameters: [1], 'refuses-to-start': null })
    },
  },
  {
    id: 'CQ-508',
    question: 'plugin.start.file-over-capacity',
    title: 'A start with three rules in the rules file and a capacity of two shows which rules are loaded',
    ...withCapacity,
    run: (session) => lookAtOverflow(session, writeThreeRules),
  },
]
