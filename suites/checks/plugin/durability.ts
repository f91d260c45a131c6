import { setTimeout as pause } from 'node:timers/promises'
import { failure } from '../../assertions/expect.ts'
import { expectExplained } from '../../assertions/explained.ts'
import { after, CannotArrange, FailedExpectation } from '../../assertions/failure.ts'
import { orNull } from '../../client/response.ts'
import { type History, type NextRequest, startHistory, stateOf } from '../../session/history.ts'
import { type RandomInteger, seededRandom } from '../../session/random.ts'
import type { LaunchedServer } from '../../session/session.ts'
import { anyResponse, serverChecks, writing } from './scopes.ts'

/** The number of kills in an ordinary run. */
const kills = 4

/** More changes than any server completes before it is killed. */
const changesPerClient = 8

/** The least time over which the moments of kills are spread: a timer waits at least 1 ms, and a fast server responds earlier. */
const shortestMs = 4

/** With more rules than this, most changes are removals, so that the list does not reach its capacity. */
const manyRules = 8

/** A kill most often damages a rule that is being written, so the first burst only adds rules. */
const additionsOnly: readonly NextRequest[] = Array.from({ length: changesPerClient }, () => 'add')

/** The changes of one client: mostly additions while the list is short. */
function drawChanges(random: RandomInteger, listed: number): readonly NextRequest[] {
  const addsPerTen = listed > manyRules ? 3 : 7
  return Array.from({ length: changesPerClient }, () => (random(0, 9) < addsPerTen ? 'add' : { remove: random(0, 9) }))
}

/**
 * The changes of two clients, and the moment of the kill: after so many responses, and after this percentage of the time
 * that the last of them took, so that the kill strikes a slow server too while it works on the next change.
 */
function drawBurst(random: RandomInteger, listed: number, isFirst: boolean) {
  const moment = { responses: random(1, 5), percent: random(0, 90) }
  const operations = () => (isFirst ? additionsOnly : drawChanges(random, listed))
  return { moment, changes: ['A', 'B'].map((client) => ({ client, operations: operations() })) }
}

type Burst = ReturnType<typeof drawBurst>

/** Two clients change the list until the server is killed. Resolves when both have stopped. */
async function burst(server: LaunchedServer, history: History, { moment, changes }: Burst): Promise<void> {
  let responses = 0
  let killed: Promise<void> | null = null
  let responseMs = 0
  const kill = async () => {
    await pause((Math.max(responseMs, shortestMs) * moment.percent) / 100)
    await server.crash()
  }
  const lanes = changes.map(async ({ client, operations }) => {
    for (const operation of operations) {
      const sentAt = performance.now()
      const sent = history.send(client, operation).catch((error: unknown) => {
        if (killed === null || !isUnreadableBody(error)) throw error
        return null
      })
      // A killed server sends no response.
      if ((await orNull(sent)) === null) return
      responses += 1
      responseMs = performance.now() - sentAt
      if (responses >= moment.responses) killed ??= kill()
    }
  })
  const ended = await Promise.allSettled(lanes)
  await (killed ?? kill())
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason
}

/** A kill may cut off a body that ends with its connection, and nothing shows where it would have ended. */
function isUnreadableBody(error: unknown): boolean {
  return error instanceof FailedExpectation && error.code === 'body.not-object'
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

const crashing = { ...writing, needs: ['launch', 'crash'], alone: true, tolerates: anyResponse } as const

/** Clause 4.3 rule 1, with a killed process: some order of the requests explains the list after the kill. */
export const durabilityChecks = serverChecks(crashing, 'plugin.persist.survives-crash', {
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
})
