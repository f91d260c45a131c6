import { expectContents, expectEqual, expectExactly, expectStatus } from '../../assertions/expect.ts'
import { expectExplained } from '../../assertions/explained.ts'
import { CannotArrange } from '../../assertions/failure.ts'
import { orClosed, orRejected } from '../../client/response.ts'
import { sameContent } from '../../model/rule.ts'
import { type History, type NextRequest, startHistory, stateOf } from '../../session/history.ts'
import { type RandomInteger, seededRandom } from '../../session/random.ts'
import { arranged, rulesIn } from '../../session/rules.ts'
import type { LaunchedServer } from '../../session/session.ts'
import { expectForms } from './2-3-rules.ts'
import { expectCreated } from './4-2-add-rule.ts'
import { expectTotal } from './4-2-list.ts'
import { exclusive, ownServer, serverChecks } from './scopes.ts'

/** The requests of each client. The clients send concurrently. */
type Round = readonly (readonly NextRequest[])[]

/** The overlaps that most often reveal defects. */
const overlaps: readonly Round[] = [
  [['add'], ['add'], ['add']],
  [['add'], ['list', 'list'], ['list']],
  [[{ remove: 1 }], ['list', 'list'], ['list']],
  [['add'], [{ remove: 2 }], [{ remove: 2 }]],
  [['add', 'list'], ['add'], [{ remove: 0 }]],
  [[{ remove: -1 }], [{ remove: -1 }], [{ remove: -1 }]],
]

const clients = ['A', 'B', 'C'] as const

/** More concurrent requests, for results that no order of requests has to explain. */
const simultaneous = 6
const rounds = 3

/** The number of random rounds in an ordinary run. */
const drawnRounds = 2

/** The requests in a random round; one that occurs more often is more likely. */
const drawn = ['add', 'add', 'add', 'add', 'list', 'list', 'list', 'remove', 'remove', 'remove'] as const

/** Three clients, two operations each. */
const maxWritesPerRound = 6

function drawRound(random: RandomInteger): Round {
  const draw = (): NextRequest => {
    const kind = drawn[random(0, drawn.length - 1)] ?? 'list'
    return kind === 'remove' ? { remove: random(0, 9) } : kind
  }
  return clients.map(() => [draw(), draw()])
}

async function play(round: Round, history: History): Promise<void> {
  const lanes = round.map(async (operations, at) => {
    for (const operation of operations) await history.send(clients[at] ?? 'A', operation)
  })
  await Promise.all(lanes)
  // Nothing else is in flight, so this shows the result of the round and the start of the next one.
  await history.send('A', 'list')
}

/** Without a response the client cannot know, so that is not judged. */
const tookEffect = 'a simultaneous request took effect, but its connection was closed without a response'

/** A concurrent POST may be rejected, but after a 201 its rule is in the list at the reported index. */
async function expectAcknowledgedAdded({ plugin, rules }: LaunchedServer): Promise<void> {
  const before = await rules.read()
  const drafts = Array.from({ length: simultaneous }, () => rules.draft())
  const sent = await Promise.all(drafts.map(async (draft) => ({ draft, response: await orClosed(plugin.add(draft)) })))
  const list = await rules.read()
  const acknowledged = sent.flatMap(({ draft, response }) => (response?.status === 201 ? { draft, response } : []))
  for (const { draft, response } of acknowledged) {
    rules.find(list, draft)
    expectCreated(response, draft)
  }
  const others = list.filter((rule) => !acknowledged.some(({ draft }) => sameContent(draft, rule)))
  const closed = sent.filter(({ response }) => response === null)
  if (others.some((rule) => closed.some(({ draft }) => sameContent(draft, rule)))) throw new CannotArrange(tookEffect)
  expectContents(others, before, 'list.others-changed')
}

/** Each DELETE with 200 has removed one rule from one end of the list, since all have the same index. */
async function expectEachRemoved({ plugin, rules }: LaunchedServer, end: 'first' | 'last'): Promise<void> {
  const before = await rules.read()
  const index = before.at(end === 'last' ? -1 : 0)?.index ?? 'none'
  const responses = await Promise.all(Array.from({ length: simultaneous }, () => orClosed(plugin.remove(index))))
  const list = await rules.read()
  const removed = before.length - list.length
  const successes = responses.filter((response) => response?.status === 200).length
  if (successes < removed && responses.includes(null)) throw new CannotArrange(tookEffect)
  expectEqual('responses.successes-wrong', successes, removed)
  const left = end === 'last' ? before.slice(0, list.length) : before.slice(removed)
  expectContents(list, left, 'list.others-changed')
}

/** These results depend on timing, and a server may reject a request while it serves another. */
const alone = { ...ownServer, alone: true, tolerates: ['rejection'] } as const
/** How many requests a server handles at a time, and what it does with others, is judged elsewhere. */
const limited = { ...alone, tolerates: ['rejection', 'end of connection'] } as const
const overlapping = {
  ...alone,
  // Twice as many as one pass, since the check is repeated if a connection breaks.
  mostWrites: (thorough: number) => 2 * (10 + maxWritesPerRound * (overlaps.length + drawnRounds * thorough)),
}

/** Several concurrent clients on a list that only the kit changes. */
export const concurrencyChecks = [
  ...serverChecks(overlapping, 'plugin.robust.overlapping-requests', {
    'CT-971 Responses to overlapping requests of three clients match some sequential order': async (
      server,
      { seed, thorough },
    ) => {
      await server.rules.arrange(1)
      const { history, choices } = await startHistory(server)
      const random = seededRandom(seed)
      const drawn = Array.from({ length: drawnRounds * thorough }, () => drawRound(random))
      for (const round of [...overlaps, ...drawn]) {
        const before = stateOf(history.listed)
        await play(round, history)
        expectExplained(history.take(), { code: 'concurrency.unexplained', before, choices, seed })
      }
    },
  }),
  ...serverChecks({ ...alone, ...exclusive }, 'plugin.robust.overlapping-requests', {
    'CT-991 Of three simultaneous POSTs to a list with one free place, one is accepted and two return 500': async (
      server,
      { fillServer },
    ) => {
      const { plugin, rules } = server
      for (let round = 0; round < 3; round += 1) {
        const { list, errorResponse } = await fillServer(server)
        if (errorResponse === null) throw new CannotArrange('the list is not full')
        await arranged(async () => expectStatus(await plugin.remove(list.at(-1)?.index ?? 'none'), 200))
        const responses = await Promise.all(clients.map(() => plugin.add(rules.draft())))
        const statuses = responses.map(({ status }) => status).toSorted()
        expectExactly('responses.statuses-wrong', statuses, [201, 500, 500])
        expectEqual('list.length-wrong', (await rules.read()).length, list.length)
      }
    },
  }),
  ...serverChecks(alone, 'plugin.add.leaves-others', {
    'CT-956 Of six simultaneous POSTs, each that returns 201 adds exactly its rule and names its logins': async (
      server,
    ) => {
      await server.rules.arrange(1)
      for (let round = 0; round < rounds; round += 1) await expectAcknowledgedAdded(server)
    },
  }),
  ...serverChecks({ ...limited, tolerates: ['no effect', ...limited.tolerates] }, 'plugin.rule.fields', {
    'CT-958 GET /api/rules lists only rules with all fields in their documented form while rules are added': async ({
      plugin,
      rules,
    }) => {
      const expectConsistentLists = async () => {
        for (let reading = 0; reading < 5; reading += 1) {
          const response = await orRejected(plugin.list())
          if (response !== null) expectForms(rulesIn(response))
        }
      }
      const add = () => orRejected(plugin.add(rules.draft()))
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all([add(), add(), expectConsistentLists()])
      }
    },
  }),
  ...serverChecks({ ...limited, tolerates: ['no effect', ...limited.tolerates] }, 'plugin.list.total', {
    'CT-959 GET /api/rules returns total equal to the number of listed rules while rules are added and removed':
      async ({ plugin, rules }) => {
        const [{ index }] = await rules.arrange(1)
        let isChanging = true
        const untilAllEnd = async (work: () => Promise<void>) => {
          try {
            await work()
          } finally {
            isChanging = false
          }
        }
        const change = async () => {
          for (let round = 0; round < 30 && isChanging; round += 1) {
            await orRejected(plugin.add(rules.draft()))
            await orRejected(plugin.remove(index))
          }
        }
        const read = async () => {
          while (isChanging) {
            const response = await orRejected(plugin.list())
            if (response !== null) expectTotal(response)
          }
        }
        await Promise.all([change, read, read].map(untilAllEnd))
      },
  }),
  ...serverChecks(limited, 'plugin.delete.keeps-order', {
    'CT-957 Of six simultaneous DELETEs of one index, each that returns 200 removes one rule': async (server) => {
      // With eight rules, some are left at the end.
      for (const length of [1, 3, 8]) {
        for (const end of ['last', 'first'] as const) {
          const { length: present } = await server.rules.read()
          await server.rules.arrange(Math.max(0, length - present))
          await expectEachRemoved(server, end)
        }
      }
    },
  }),
]
