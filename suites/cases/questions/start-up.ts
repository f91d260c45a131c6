import type { Answer, Observation } from '../../engine/check.ts'
import type { LaunchedServer } from '../../session/servers.ts'
import type { Session } from '../../session/session.ts'

const needs = ['launch'] as const

/** Rules that are easy to tell apart: follower 2000 + n for each n. */
function copyOf(...numbers: readonly number[]): Record<string, string> {
  return Object.fromEntries(numbers.map((n) => [`Copy_${n}`, ruleOf(n)]))
}

const ruleOf = (n: number) => `${1000 + n}>${2000 + n},mult,1,same`

/** The n of each listed rule, in the order of the list; null if the server does not answer. */
async function startedWith(server: LaunchedServer): Promise<readonly number[] | null> {
  if (!(await server.tryStart())) return null
  return (await server.rules.read()).map(({ follower }) => Number(follower) - 2000)
}

/** The answer whose list of n was seen; `null` stands for a server that does not start. */
function answerByList(
  seen: readonly number[] | null,
  answers: Readonly<Record<string, readonly number[] | null>>,
): Answer {
  const wanted = JSON.stringify(seen)
  const answer = Object.keys(answers).find((name) => JSON.stringify(answers[name]) === wanted) ?? null
  return {
    answer,
    seen: seen === null ? 'the API does not answer' : `the rules ${seen.map(ruleOf).join('; ') || '(none)'}`,
  }
}

async function lookAtOverflow({ prepare }: Session, make: (server: LaunchedServer) => Promise<void>): Promise<Answer> {
  const server = await prepare({ capacity: 2, copy: copyOf(1, 2, 3) })
  await make(server)
  return answerByList(await startedWith(server), {
    first: [1, 2],
    all: [1, 2, 3],
    'refuses-to-start': null,
  })
}

/** A file of three rules, written by the server itself while its capacity allowed it. */
async function writeThreeRules(server: LaunchedServer): Promise<void> {
  await server.configure({ capacity: 10, copy: copyOf(1, 2, 3) })
  await server.start()
  const [spare] = await server.rules.arrange(1)
  await server.rules.remove(spare)
  await server.stop()
  await server.configure({ capacity: 2, copy: {} })
}

/** Questions about what a server starts with. */
export const startUpObservations: readonly Observation[] = [
  {
    id: 'CQ-501',
    question: 'plugin.start.copy-order',
    title: 'the order of the rules of Copy_2 and Copy_10',
    risk: 'write',
    needs,
    async run({ prepare }) {
      const seen = await startedWith(await prepare({ copy: copyOf(2, 10) }))
      // A server that lists the newest rule first shows the order of loading from its end.
      return answerByList(seen, { numeric: [2, 10], lexical: [10, 2] })
    },
  },
  {
    id: 'CQ-502',
    question: 'plugin.start.copy-spelling',
    title: 'the parameter Copy_007 next to Copy_1',
    risk: 'write',
    needs,
    async run({ prepare }) {
      const server = await prepare({ copy: { ...copyOf(1), Copy_007: ruleOf(7) } })
      const seen = await startedWith(server)
      return answerByList(seen?.toSorted() ?? null, { loaded: [1, 7], ignored: [1] })
    },
  },
  {
    id: 'CQ-503',
    question: 'plugin.start.copy-spaces',
    title: 'a Copy_N value with spaces next to one without',
    risk: 'write',
    needs,
    async run({ prepare }) {
      const server = await prepare({ copy: { ...copyOf(1), Copy_2: '1002 > 2002 , mult, 1 , same' } })
      const seen = await startedWith(server)
      const accepted = seen?.includes(2) === true
      return { answer: accepted ? 'accepted' : 'unreadable', seen: seen === null ? 'the API does not answer' : '' }
    },
  },
  {
    id: 'CQ-504',
    question: 'plugin.start.copy-unreadable',
    title: 'Copy_2=garbage between Copy_1 and Copy_3',
    risk: 'write',
    needs,
    async run({ prepare }) {
      const seen = await startedWith(await prepare({ copy: { ...copyOf(1, 3), Copy_2: 'garbage' } }))
      return answerByList(seen?.toSorted() ?? null, { skipped: [1, 3], 'none-loaded': [], 'refuses-to-start': null })
    },
  },
  {
    id: 'CQ-505',
    question: 'plugin.start.copy-over-capacity',
    title: 'three rules in Copy_N with a capacity of two',
    risk: 'write',
    needs: ['launch', 'capacity'],
    run: (session) => lookAtOverflow(session, async () => undefined),
  },
  {
    id: 'CQ-506',
    question: 'plugin.start.copy-saved',
    title: 'Copy_1 is changed between two starts, with no change through the API',
    risk: 'write',
    needs,
    async run({ prepare }) {
      const server = await prepare({ copy: copyOf(1) })
      await server.start()
      await server.stop()
      await server.configure({ copy: { Copy_1: ruleOf(5) } })
      return answerByList(await startedWith(server), { no: [5], yes: [1] })
    },
  },
  {
    id: 'CQ-507',
    question: 'plugin.start.file-corrupt',
    title: 'a start with a rules file of random text and with Copy_1',
    risk: 'write',
    needs: ['launch', 'rules-file'],
    async run({ prepare }) {
      const server = await prepare({ copy: copyOf(1) })
      await server.writeRulesFile('\u0001 this is no rules file \u0002\n'.repeat(20))
      return answerByList(await startedWith(server), { empty: [], parameters: [1], 'refuses-to-start': null })
    },
  },
  {
    id: 'CQ-508',
    question: 'plugin.start.file-over-capacity',
    title: 'a rules file of three rules with a capacity of two',
    risk: 'write',
    needs: ['launch', 'capacity'],
    run: (session) => lookAtOverflow(session, writeThreeRules),
  },
]
