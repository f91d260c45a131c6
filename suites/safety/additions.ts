import { Mutex } from 'async-mutex'
import { failure } from '../assertions/expect.ts'
import type { Exchange } from '../client/exchange.ts'
import { NoResponse } from '../client/response.ts'
import { describeRule, type Rule } from '../model/rule.ts'
import { ConcurrentEdit, type Watch } from './concurrent-edit.ts'
import {
  addAgain,
  bothLists,
  type ForeignList,
  isReordered,
  lostBetween,
  readList,
  readQuiet,
  recordLost,
  recordPossiblyLost,
} from './foreign-rules.ts'
import { missingFrom } from './list-state.ts'
import { OtherRuleLost } from './other-rule-lost.ts'
import { type Harm, isSameHarm, lostWith } from './same-harm.ts'

/** What is known of a server from the requests that may add a rule; one for all clients of a run. */
export interface Additions {
  /** Set when a foreign rule was lost: nothing more is added. Settles when the reason is known and the list is restored as far as possible. */
  lost: Promise<OtherRuleLost | ConcurrentEdit> | null
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
  /** Adds a new rule of the kit, without the guard; null where that is not allowed. */
  readonly addAnother: (() => Promise<Exchange>) | null
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
  const sendNow = (before: readonly Rule[]) => sendVerified({ send, exchangeOf, before, isNested }, options)
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
  readonly isNested: boolean
}

async function sendVerified<Response>(sending: Sending<Response>, options: AdditionOptions): Promise<Response> {
  const { additions } = options
  if (additions.lost !== null) throw await additions.lost
  additions.pending += 1
  const { before, send, exchangeOf } = sending
  const verify = async (exchange: Exchange | null, after: readonly Rule[]) => {
    const repeat = repetitionOf(sending, exchange, options)
    await verifyAddition({ before, after, exchange, repeat }, options)
  }
  try {
    const response = await send()
    await verify(exchangeOf(response), await readList(options))
    return response
  } catch (error) {
    if (error instanceof NoResponse && !isRead(error.exchange)) {
      const after = await readList(options).catch(() => null)
      if (after !== null) await verify(error.exchange, after)
    }
    throw error
  } finally {
    additions.pending -= 1
  }
}

/** A rejected request is sent again as it is; otherwise another rule is added, since a server may reject an equal one. */
function repetitionOf<Response>(
  { send, exchangeOf, isNested }: Sending<Response>,
  exchange: Exchange | null,
  { addAnother }: AdditionOptions,
): Addition['repeat'] {
  const status = exchange?.response?.status ?? 0
  const isRejected = status >= 300 && status < 500
  // Requests inside a nested one would wait for the reason of this loss for ever.
  const again = isNested ? null : async () => exchangeOf(await send())
  const repeat = isRejected ? again : (addAnother ?? again)
  if (repeat === null) return null
  return async () => {
    const repeated = await repeat().catch((error: unknown) => {
      if (error instanceof NoResponse) return null
      throw error
    })
    return repeated?.response?.status ?? null
  }
}

function isRead({ request }: Exchange): boolean {
  return request.method === 'GET'
}

interface Addition extends Harm {
  readonly exchange: Exchange | null
  /** Sends such a request again and resolves to the status; null where that is not possible. */
  readonly repeat: (() => Promise<number | null>) | null
}

async function verifyAddition(addition: Addition, options: AdditionOptions): Promise<void> {
  const { before, after } = addition
  const { additions, watch } = options
  if (additions.lost !== null) throw await additions.lost
  if (lostBetween(before, after, options).length === 0 && !isReordered(before, after, options)) {
    additions.longest = Math.max(additions.longest, after.length)
    return watch.see(after)
  }
  // Parallel requests see the same loss; only the first of them looks for the reason.
  additions.lost = examine(addition, options)
  throw await additions.lost
}

/** Who lost the rules, and the list restored if it was the server. */
async function examine(addition: Addition, options: AdditionOptions): Promise<OtherRuleLost | ConcurrentEdit> {
  const { before, after } = addition
  options.watch.accept(after)
  const repeats = await repeatLoss(addition, options)
  if (repeats !== null) return restore(addition, [addition, ...repeats], options)
  // A repeated request may have cost a further rule.
  const now = await readList(options)
  options.watch.accept(now)
  const lost = lostBetween(before, now, options)
  recordPossiblyLost(lost, false, options)
  if (isReordered(before, now, options)) options.ledger?.append({ event: 'reordered' })
  return new ConcurrentEdit(
    'foreign rules disappeared or moved together with a request of the kit that may add a rule: the server did it, or another client did; nothing was added again',
    [...lost.map(describeRule), ...bothLists(before, now)],
  )
}

/** With more requests than this the same length is not worth reaching again. */
const mostRepeats = 10

/** So often the same harm must follow while nothing else changes in the list. */
const requiredRepeats = 2

/**
 * One loss can be the doing of another client that removed a rule at that very moment. So the request is
 * sent again until the list would be longer than before: a server that has room for a rule of the kit then
 * loses nothing, and one that makes room loses a rule at the same place again, and once more after that.
 * Null where it is not certain that the server did it.
 */
async function repeatLoss(addition: Addition, options: AdditionOptions): Promise<readonly Harm[] | null> {
  const { before, after, repeat } = addition
  const { additions, watch } = options
  const isSeenToTakeMore = before.length < additions.longest
  const repeats = Math.max(before.length - after.length + 1, 1)
  if (repeat === null || isSeenToTakeMore || isEdited(addition, options) || repeats > mostRepeats) return null
  const harms: Harm[] = []
  let list = await readQuiet(after, options)
  for (let left = requiredRepeats * repeats; left > 0 && list !== null; left -= 1) {
    const status = await repeat()
    const next = await readList(options)
    watch.accept(next)
    const repeated = { before: list, after: next }
    list = next
    if (isEdited(repeated, options)) return null
    if (!isHarmful(repeated, status, options)) continue
    harms.push(repeated)
    if (!isSameHarm([addition, ...harms], options)) return null
    list = await readQuiet(next, options)
    if (harms.length === requiredRepeats) return list === null ? null : harms
  }
  return null
}

/** Whether a foreign rule was added. */
function isEdited({ before, after }: Harm, { isOwn }: AdditionOptions): boolean {
  return missingFrom(before, after).some((rule) => !isOwn(rule))
}

function isHarmful({ before, after }: Harm, status: number | null, options: AdditionOptions): boolean {
  const ownIsLost = status === 201 && after.length <= before.length
  return ownIsLost || lostBetween(before, after, options).length > 0 || isReordered(before, after, options)
}

/**
 * Makes room by removing rules of the kit, and adds the lost rules again in their order. It stops at the
 * first further loss: the ledger holds what is missing, and the verification of the list names it.
 */
async function restore(
  { before, exchange }: Addition,
  harms: readonly Harm[],
  options: AdditionOptions,
): Promise<OtherRuleLost> {
  const { ledger, watch, isOwn } = options
  let lost: readonly Rule[] = []
  try {
    const now = await readList(options)
    lost = lostWith(harms, now, options)
    recordLost(lost, options)
    if (isReordered(before, now, options)) ledger?.append({ event: 'reordered' })
    await makeRoom(now, before.length - lost.length, options)
    for (const rule of lost) {
      const list = await readList(options)
      const { status, list: next } = await addAgain(rule, before, options)
      watch.accept(next)
      const further = lostBetween(list, next, options)
      recordLost(further, options)
      if (status !== 201 || further.length > 0) break
    }
  } catch (error) {
    if (!(error instanceof ConcurrentEdit || error instanceof NoResponse)) throw error
  }
  const failed = failure('list.other-rule-lost-by-add', {
    expected: `${before.filter((rule) => !isOwn(rule)).length} other rules, in their order`,
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
