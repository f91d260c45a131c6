import { setTimeout as pause } from 'node:timers/promises'
import { expectContents, expectEqual, expectExactly, expectStatus, failure } from '../../assertions/expect.ts'
import { expectExplained } from '../../assertions/explained.ts'
import { after, CannotArrange } from '../../assertions/failure.ts'
import { orNull } from '../../client/response.ts'
import { sameContent } from '../../model/rule.ts'
import type { Check } from '../../session/check.ts'
import { type History, type NextRequest, startHistory, stateOf } from '../../session/history.ts'
import { type RandomInteger, seededRandom } from '../../session/random.ts'
import { arranged } from '../../session/rules.ts'
import type { LaunchedServer } from '../../session/session.ts'
import { expectForms } from './2-3-rules.ts'
import { expectCreated } from './4-2-add-rule.ts'
import { expectTotal } from './4-2-reads.ts'
import { exclusive, ownServer, serverChecks, writing } from './scopes.ts'

/** The requests of each client. The clients send concurrently. */
type Round = readonly (readonly NextRequest[])[]

/** The overlaps that most often reveal defects. */
const overlaps: readonly Round[] = [
  [['add'], ['add'], ['add']],
  [['add'], ['list', 'list'], ['list']],
  [[{ remove: 1 }], ['list', 'list'], ['list']],
  [['add'], [{ remove: 2 }], [{ remove: 2 }]],
  [['add', 'list'], ['add'], [{ remove: 0 }]],
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

/** A concurrent POST may be rejected, but after a 201 its rule is in the list at the reported index. */
async function expectAcknowledgedAdded({ plugin, rules }: LaunchedServer): Promise<void> {
  const before = await rules.read()
  const drafts = Array.from({ length: simultaneous }, () => rules.draft())
  const sent = await Promise.all(drafts.map(async (draft) => ({ draft, response: await plugin.add(draft) })))
  const list = await rules.read()
  const acknowledged = sent.filter(({ response }) => response.status === 201)
  for (const { draft, response } of acknowledged) {
    rules.find(list, draft)
    expectCreated(response, draft)
  }
  const others = list.filter((rule) => !acknowledged.some(({ draft }) => sameContent(draft, rule)))
  expectContents(others, before, 'list.others-changed')
}

/** Each DELETE with 200 has removed one rule from one end of the list, since all have the same index. */
async function expectEachRemoved({ plugin, rules }: LaunchedServer, end: 'first' | 'last'): Promise<void> {
  const before = await rules.read()
  const index = before.at(end === 'last' ? -1 : 0)?.index ?? 'none'
  const responses = await Promise.all(Array.from({ length: simultaneous }, () => plugin.remove(index)))
  const list = await rules.read()
  const removed = before.length - list.length
  expectEqual('responses.successes-wrong', responses.filter(({ status }) => status === 200).length, removed)
  const left = end === 'last' ? before.slice(0, list.length) : before.slice(removed)
  expectContents(list, left, 'list.others-changed')
}

/** These results depend on timing, and a server may reject a request while it serves another. */
const alone = { ...ownServer, alone: true, tolerates: ['rejection'] } as const
const aloneReading = { ...alone, tolerates: ['no effect', 'rejection'] } as const
const aloneReadingOften = { ...alone, tolerates: ['no effect', 'rejection', 'end of connection'] } as const
const overlapping = {
  ...alone,
  // Twice as many as one pass, since the check is repeated if a connection breaks.
  mostWrites: (thorough: number) => 2 * (10 + maxWritesPerRound * (overlaps.length + drawnRounds * thorough)),
}

/** The number of kills in an ordinary run. */
const kills = 3

/** More changes than any server completes before it is killed. */
const changesPerClient = 8

/** With more rules than this, most changes are removals, so that the list does not reach its capacity. */
const manyRules = 8

/** A kill most often damages a rule that is being written, so the first burst only adds rules. */
const additionsOnly: readonly NextRequest[] = Array.from({ length: changesPerClient }, () => 'add')

/** The changes of one client: mostly additions while the list is short. */
function drawChanges(random: RandomInteger, listed: number): readonly NextRequest[] {
  const addsPerTen = listed > manyRules ? 3 : 7
  return Array.from({ length: changesPerClient }, () => (random(0, 9) < addsPerTen ? 'add' : { remove: random(0, 9) }))
}

/** The changes of two clients, and the moment of the kill: so long after so many responses. */
function drawBurst(random: RandomInteger, listed: number, isFirst: boolean) {
  const moment = { responses: random(1, 5), afterMs: random(0, 4) }
  const operations = () => (isFirst ? additionsOnly : drawChanges(random, listed))
  return { moment, changes: ['A', 'B'].map((client) => ({ client, operations: operations() })) }
}

type Burst = ReturnType<typeof drawBurst>

/** Two clients change the list until the server is killed. Resolves when both have stopped. */
async function burst(server: LaunchedServer, history: History, { moment, changes }: Burst): Promise<void> {
  let responses = 0
  let killed: Promise<void> | null = null
  const kill = async () => {
    await pause(moment.afterMs)
    await server.crash()
  }
  const lanes = changes.map(async ({ client, operations }) => {
    for (const operation of operations) {
      // A killed server sends no response.
      if ((await orNull(history.send(client, operation))) === null) return
      responses += 1
      if (responses >= moment.responses) killed ??= kill()
    }
  })
  await Promise.all(lanes)
  await (killed ?? kill())
}

/** A killed server must be able to start again. */
async function startAgain(server: LaunchedServer): Promise<void> {
  try {
    await server.start()
  } catch (error) {
    if (!(error instanceof CannotArrange)) throw error
    throw failure('server.not-back-after-crash', { reason: error.message, difference: null })
  }
}

const crashing = {
  ...writing,
  needs: ['launch', 'crash'],
  alone: true,
  tolerates: ['no effect', 'rejection', 'end of connection'],
} as const

/** Several concurrent clients on a list that only the kit changes, also while the server is killed (clause 4.3 rule 1). */
export const concurrencyChecks: readonly Check[] = [
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
  ...serverChecks(aloneReading, 'plugin.rule.fields', {
    'CT-958 GET /api/rules lists only rules with all fields in their documented form while rules are added': async ({
      plugin,
      rules,
    }) => {
      const expectConsistentLists = async () => {
        for (let reading = 0; reading < 5; reading += 1) expectForms(await rules.read())
      }
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all([plugin.add(rules.draft()), plugin.add(rules.draft()), expectConsistentLists()])
      }
    },
  }),
  ...serverChecks(aloneReadingOften, 'plugin.list.total', {
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
            await plugin.add(rules.draft())
            await plugin.remove(index)
          }
        }
        const read = async () => {
          while (isChanging) await expectTotal(plugin)
        }
        await Promise.all([change, read, read].map(untilAllEnd))
      },
  }),
  ...serverChecks(alone, 'plugin.delete.keeps-order', {
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
  ...serverChecks(crashing, 'plugin.persist.survives-crash', {
    'CT-972 Every acknowledged change survives repeated kills of the server while two clients write': async (
      server,
      { seed, thorough },
    ) => {
      const { history, choices } = await startHistory(server)
      const random = seededRandom(seed)
      for (let round = 0; round < kills * thorough; round += 1) {
        const before = stateOf(history.listed)
        await burst(server, history, drawBurst(random, history.listed.length, round === 0))
        await after(`kill ${round + 1}`, async () => {
          await startAgain(server)
          await history.send('A', 'list')
          expectExplained(history.take(), { code: 'durability.unexplained', before, choices, seed })
        })
      }
    },
  }),
]
