import { expectEqual, expectExactly, expectStatus } from '../../assertions/expect.ts'
import { expectExplained } from '../../assertions/explained.ts'
import { CannotArrange } from '../../assertions/failure.ts'
import { type Check, checks } from '../../session/check.ts'
import { type History, learnChoices, type NextRequest, recordHistory, stateOf } from '../../session/history.ts'
import { type RandomInteger, seededRandom } from '../../session/random.ts'
import { arranged } from '../../session/rules.ts'
import { ownServer } from './scopes.ts'

/** The requests of each client. The clients send at the same time. */
type Round = readonly (readonly NextRequest[])[]

/** The overlaps that fail most often. */
const overlaps: readonly Round[] = [
  [['add'], ['add'], ['add']],
  [['add'], ['list', 'list'], ['list']],
  [[{ remove: 1 }], ['list', 'list'], ['list']],
  [['add'], [{ remove: 2 }], [{ remove: 2 }]],
  [['add', 'list'], ['add'], [{ remove: 0 }]],
]

const clients = ['A', 'B', 'C'] as const

/** The number of random rounds in an ordinary run. */
const drawnRounds = 2

/** What a client of a random round sends, each as often as it is named. */
const drawn = ['add', 'add', 'add', 'add', 'list', 'list', 'list', 'remove', 'remove', 'remove'] as const

/** Three clients, two operations each. */
const mostWritesOfRound = 6

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
  // Without other requests this shows the result of the round, which is the start of the next.
  await history.send('A', 'list')
}

/** Several clients at once, on a list that only the kit writes. */
export const concurrencyChecks: readonly Check[] = [
  ...checks(
    {
      ...ownServer,
      alone: true,
      mostWrites: (thorough) => 2 * (10 + mostWritesOfRound * (overlaps.length + drawnRounds * thorough)),
      tolerates: ['rejection'],
    },
    'plugin.robust.overlapping-requests',
    {
      // Twice as many as one pass: it is repeated where a connection breaks.
      'CT-971 Responses to overlapping requests of three clients match some sequential order': async ({
        launch,
        seed,
        thorough,
      }) => {
        const server = await launch()
        await server.rules.arrange(1)
        const { list, ...choices } = await learnChoices(server)
        const history = recordHistory({ ...server, list })
        const random = seededRandom(seed)
        const drawn = Array.from({ length: drawnRounds * thorough }, () => drawRound(random))
        for (const round of [...overlaps, ...drawn]) {
          const before = stateOf(history.listed)
          await play(round, history)
          expectExplained(history.take(), {
            code: 'concurrency.unexplained',
            before,
            choices,
            seed,
          })
        }
      },
    },
  ),
  ...checks(
    { risk: 'exclusive', needs: ['launch'], alone: true, tolerates: ['rejection'] },
    'plugin.robust.overlapping-requests',
    {
      'CT-991 Of three simultaneous POSTs to a list with one free place, one is accepted and two return 500': async ({
        launch,
        fillServer,
      }) => {
        const server = await launch()
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
    },
  ),
]
