import { setTimeout as delay } from 'node:timers/promises'
import { Mutex } from 'async-mutex'
import { failure } from '../assertions/expect.ts'
import type { FailedExpectation } from '../assertions/failure.ts'
import type { Exchange } from '../client/exchange.ts'
import { NoResponse } from '../client/response.ts'
import { describeRule, type Rule } from '../model/rule.ts'
import { ConcurrentEdit, type Watch } from './concurrent-edit.ts'
import { addAgain, bothLists, type ForeignList, lostBetween, readList, recordLost } from './foreign-rules.ts'
import { differences, foundIn, missingFrom } from './list-state.ts'

/** A foreign rule was lost or moved by a request of the kit that may add a rule. The server is at fault. */
export class OtherRuleLost extends Error {
  override readonly name = 'OtherRuleLost'
  readonly failure: FailedExpectation

  constructor(failed: FailedExpectation) {
    super(failed.message)
    this.failure = failed
  }
}

/** What is known of a server from the requests that may add a rule; one for all clients of a run. */
export interface Additions {
  /** Set when the server has lost a foreign rule: nothing more is added. Settles when the list is restored as far as possible. */
  lost: Promise<OtherRuleLost> | null
  /** The most rules that the list had after such a request without a loss. */
  longest: number
  /** The requests that are under way. */
  pending: number
  /** Held by a request that makes the list longer than it was ever seen: each could cost a rule, so they are sent one by one. */
  readonly turn: Mutex
}

export function createAdditions(): Additions {
  return { lost: null, longest: 0, pending: 0, turn: new Mutex() }
}

export interface AdditionOptions extends ForeignList {
  readonly watch: Watch
  readonly additions: Additions
  /** Removes a rule of the kit through the guard. */
  readonly remove: (index: number) => Promise<unknown>
}

/**
 * Sends a request that may add a rule, and reads the list before and after it: at most one such request
 * can ever harm the foreign rules.
 *
 * @throws {OtherRuleLost} when a foreign rule was lost or moved by it; nothing is sent after that
 * @throws {ConcurrentEdit} when another client changed the list, or may have
 */
export async function sendAddition<Response>(
  send: () => Promise<Response>,
  exchangeOf: (response: Response) => Exchange | null,
  options: AdditionOptions & { readonly isNested?: boolean },
): Promise<Response> {
  const { additions, watch, isNested = false } = options
  if (additions.lost !== null) throw await additions.lost
  if (watch.others.length === 0) return send()
  const list = await readSeen(options)
  const sendNow = (before: readonly Rule[]) => sendVerified({ send, exchangeOf, before }, options)
  if (isNested || list.length + additions.pending < additions.longest) return sendNow(list)
  const mustWait = additions.turn.isLocked()
  return additions.turn.runExclusive(async () => sendNow(mustWait ? await readSeen(options) : list))
}

/** The list. What is missing in it by now is not the doing of the next request. */
async function readSeen(options: AdditionOptions): Promise<readonly Rule[]> {
  if (options.additions.lost !== null) throw await options.additions.lost
  const list = await readList(options)
  options.watch.see(list)
  return list
}

interface Sending<Response> {
  readonly send: () => Promise<Response>
  readonly exchangeOf: (response: Response) => Exchange | null
  readonly before: readonly Rule[]
}

async function sendVerified<Response>(
  { send, exchangeOf, before }: Sending<Response>,
  options: AdditionOptions,
): Promise<Response> {
  const { additions } = options
  if (additions.lost !== null) throw await additions.lost
  additions.pending += 1
  try {
    const response = await send()
    await verifyAddition({ before, after: await readList(options), exchange: exchangeOf(response) }, options)
    return response
  } catch (error) {
    if (error instanceof NoResponse && !isRead(error.exchange)) {
      const after = await readList(options).catch(() => null)
      if (after !== null) await verifyAddition({ before, after, exchange: error.exchange }, options)
    }
    throw error
  } finally {
    additions.pending -= 1
  }
}

function isRead({ request }: Exchange): boolean {
  return request.method === 'GET'
}

interface Addition {
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
  readonly exchange: Exchange | null
}

async function verifyAddition(addition: Addition, options: AdditionOptions): Promise<void> {
  const { before, after } = addition
  const { additions, watch, isOwn } = options
  if (additions.lost !== null) throw await additions.lost
  const lost = lostBetween(before, after, options)
  const isMoved = differences(foundIn(after, others(before, isOwn)), foundIn(before, others(after, isOwn))).length > 0
  if (lost.length === 0 && !isMoved) {
    additions.longest = Math.max(additions.longest, after.length)
    return watch.see(after)
  }
  // Parallel requests see the same loss; only the first of them restores the list.
  const isByServer = await explainedByServerAlone(addition, lost, options)
  if (additions.lost !== null) throw await additions.lost
  watch.accept(after)
  if (isByServer) {
    additions.lost = restore(addition, lost, options)
    throw await additions.lost
  }
  recordLost(lost, options)
  throw new ConcurrentEdit(
    'foreign rules disappeared or moved together with a request of the kit that may add a rule: the server did it, or another client did; nothing was added again',
    [...lost.map(describeRule), ...bothLists(before, after)],
  )
}

function others(list: readonly Rule[], isOwn: ForeignList['isOwn']): readonly Rule[] {
  return list.filter((rule) => !isOwn(rule))
}

/** How long another client is waited for: one that is at work changes the list again. */
const quietMs = 400

/**
 * Whether nothing points to another client: no foreign rule appeared, the list stays as it is, and it was not
 * seen to take a further rule at that length.
 */
async function explainedByServerAlone(
  { before, after }: Addition,
  lost: readonly Rule[],
  options: AdditionOptions,
): Promise<boolean> {
  const { isOwn, additions } = options
  if (others(missingFrom(before, after), isOwn).length > 0) return false
  if (lost.length === 1 && before.length < additions.longest) return false
  await delay(quietMs)
  return differences(others(after, isOwn), others(await readList(options), isOwn)).length === 0
}

/**
 * Makes room by removing rules of the kit, and adds the lost rules again in their order. It stops at the
 * first further loss: the ledger holds what is missing, and the verification of the list names it.
 */
async function restore(
  { before, after, exchange }: Addition,
  lost: readonly Rule[],
  options: AdditionOptions,
): Promise<OtherRuleLost> {
  const { isOwn, ledger, watch } = options
  if (lost.length > 0) recordLost(lost, options)
  else ledger?.append({ event: 'reordered' })
  try {
    await makeRoom(after, before.length - lost.length, options)
    for (const rule of lost) {
      const list = await readList(options)
      const status = await addAgain(rule, options)
      const next = await readList(options)
      watch.accept(next)
      const further = lostBetween(list, next, options)
      recordLost(further, options)
      if (status !== 201 || further.length > 0) break
    }
  } catch (error) {
    if (!(error instanceof ConcurrentEdit || error instanceof NoResponse)) throw error
  }
  const failed = failure('list.other-rule-lost-by-add', {
    expected: `${others(before, isOwn).length} other rules, in their order`,
    actual: lost.length > 0 ? `lost: ${lost.map(describeRule).join(', ')}` : 'another order',
    difference: lost.length > 0 ? 'lost' : 'order',
  })
  return new OtherRuleLost(failed.with({}, { exchange }))
}

/** Removes rules of the kit, the last one first, until the list has at most so many. */
async function makeRoom(after: readonly Rule[], most: number, options: AdditionOptions): Promise<void> {
  let list = after
  while (list.length > most) {
    const own = list.findLast(options.isOwn)
    if (own === undefined) return
    await options.remove(own.index)
    const next = await readList(options)
    if (next.length >= list.length) return
    list = next
  }
}
