import { setTimeout as delay } from 'node:timers/promises'
import { FailedExpectation } from '../assertions/failure.ts'
import { NoResponse } from '../client/response.ts'
import { contentOf, type Draft, isSameList, type Rule, sameContent } from '../model/rule.ts'
import { isWithin, type LoginRange } from '../session/logins.ts'
import type { Plugin } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { cleanUpPlugin } from './guard.ts'
import { type Ledger, readLedger } from './ledger.ts'
import { ConcurrentEdit } from './list-change-errors.ts'
import { foundIn, type IsOwn, missingFrom } from './list-state.ts'
import { type ForeignList, nothingKnown, putBack, readList } from './protected-list.ts'

/** The rule to remove first. Another client may shift the indices, so its neighbours should be rules of the kit too. */
export function safestRemoval(list: readonly Rule[], isOwn: IsOwn): Rule | undefined {
  const own = list.map(isOwn)
  const at = own[0]
    ? own.findLastIndex((_, place) => own[place] && own[place - 1])
    : own.findIndex((_, place) => own[place] && own[place + 1])
  return list[at] ?? list.findLast(isOwn)
}

/** Removes the rules of the kit, and reads the list again before each removal. Returns the resulting list. */
export async function cleanUp(plugin: Plugin, isOwn: IsOwn): Promise<readonly Rule[]> {
  let list = rulesIn(await plugin.list())
  for (;;) {
    const own = safestRemoval(list, isOwn)
    if (own === undefined) return list
    await plugin.remove(own.index)
    const next = await readShorter(plugin, list.length)
    // A server that removes nothing must not cause an endless loop.
    if (next.length >= list.length) return next
    list = next
  }
}

/** How often the list is read after a removal that it does not show, and the pause between. */
const reads = 4
const staleMs = 200

/** Reads the list until it is shorter than before, since a server may cache it for a moment; or the last one read. */
async function readShorter(plugin: Plugin, length: number): Promise<readonly Rule[]> {
  for (let read = 1; ; read += 1) {
    const list = rulesIn(await plugin.list())
    if (list.length < length || read === reads) return list
    await delay(staleMs)
  }
}

export interface RestoreOptions extends ForeignList {
  /** How long to retry while other clients change the list. */
  readonly timeoutMs: number
  /** Called once if the clean-up has to wait for other clients. */
  readonly onWait?: () => void
}

export type Restored = Awaited<ReturnType<typeof restoreList>>

/** Removals hit other rules, have no effect, or may have hit foreign rules; or other clients never paused. */
export type CleanUpStop = 'unsafe' | 'refused' | 'unclear' | 'timeout'

/** After this many consecutive removals that may have hit a foreign rule nothing more is removed. */
const maxUnclear = 2

/** A constantly edited list would fill the report. */
const maxEdits = 10

/** Enough for occasional broken connections and briefly invalid lists. */
const attempts = 5

/** Limits the wait for a server that is gone. */
const maxRetriesMs = 10_000

/** How long the list must stay unchanged before a rule is removed, while there is enough time. */
const quietMs = 150
const minQuietMs = 20

/** After this time, or a quarter of the timeout, a shorter pause between the edits of a busy client is enough. */
const maxPatienceMs = 2_000

/**
 * Removes the kit's rules through the guard, and only while the list stays unchanged: during a concurrent edit an index
 * may point to another rule when the request arrives. Throws `NoResponse` if the target is gone, and
 * `FailedExpectation` if the list is invalid.
 */
export async function restoreList(options: RestoreOptions) {
  const { isOwn, ledger, timeoutMs, onWait } = options
  const start = performance.now()
  const patienceMs = Math.min(maxPatienceMs, timeoutMs / 4)
  const edits = new Set<string>()
  const knowledge = nothingKnown()
  const removalUnsafeReason = (ledger && readLedger(ledger.file)?.removalUnsafeReason) ?? null
  let stop: CleanUpStop | null = removalUnsafeReason === null ? null : 'unsafe'
  let failedRemovals = 0
  let hasWaited = false

  let { list, tookMs } = await readPatiently(options)
  while (stop === null && list.some(isOwn)) {
    const elapsedMs = performance.now() - start
    if (elapsedMs > timeoutMs) {
      stop = 'timeout'
      break
    }
    if (elapsedMs > patienceMs && !hasWaited) onWait?.()
    hasWaited ||= elapsedMs > patienceMs
    const known = list
    // An edit is dangerous between a read and the following DELETE, so the pause must be much longer than a request.
    await delay(Math.max(hasWaited ? minQuietMs : quietMs, 5 * tookMs))
    ;({ list, tookMs } = await readPatiently(options))
    if (!isSameList(known, list)) continue
    const ownBefore = list.filter(isOwn).length
    const problem = await cleanUp(cleanUpPlugin(options, list, knowledge), isOwn).then(
      () => null,
      (error: unknown) => error,
    )
    // The list shows what a request without a response did.
    if (problem !== null && !(problem instanceof ConcurrentEdit || isPassing(problem))) throw problem
    ;({ list, tookMs } = await readPatiently(options))
    if (problem instanceof ConcurrentEdit) {
      if (edits.size < maxEdits) edits.add(problem.message)
      // The server itself may remove foreign rules along with those of the kit.
      if (knowledge.unclear >= maxUnclear) stop = 'unclear'
    } else if (list.filter(isOwn).length < ownBefore) failedRemovals = 0
    // A server that removes nothing must not cause an endless loop.
    else failedRemovals += problem === null ? attempts : 1
    if (failedRemovals >= attempts) stop = 'refused'
  }
  const left = list.filter(isOwn)
  return {
    list,
    left,
    /** Concurrent edits during the clean-up as messages, at most `maxEdits`. */
    edits: [...edits],
    /** Why further removals are unsafe according to the ledger; null if they are safe. Then the list was only read. */
    removalUnsafeReason,
    /** Why rules of the kit are left; null if none are. */
    stop: left.length === 0 ? null : stop,
  }
}

/** The list, and the duration of the request. Retries a few times without a valid response. */
async function readPatiently(options: RestoreOptions) {
  const start = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    const sent = performance.now()
    try {
      return { list: await readList(options), tookMs: performance.now() - sent }
    } catch (error) {
      if (!isPassing(error) || attempt === attempts || performance.now() - start > maxRetriesMs) throw error
      await delay(quietMs)
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof NoResponse || error instanceof FailedExpectation
}

export interface RestoreRulesOptions extends Pick<ForeignList, 'client' | 'key'> {
  readonly logins: LoginRange
  readonly ledger: Ledger
  /** The foreign rules before the run, in order. */
  readonly order: readonly Draft[]
  /** The foreign rules that the kit removed from the list. */
  readonly removed: readonly Draft[]
  /** Whether the server removes the rule that a DELETE names. Otherwise rules are only added, at any position. */
  readonly isRemovalSafe?: boolean
}

/** The end of the list at which the server inserts new rules. */
type InsertionEnd = 'end' | 'start'

/**
 * Adds the removed rules again, so that the list has its original order. Rules after a gap are removed, once they are
 * recorded, and added again. Rules of other clients are left alone. Returns the resulting list.
 */
export async function restoreRules(options: RestoreRulesOptions): Promise<readonly Rule[]> {
  let removed = options.removed
  const take = (rules: readonly Draft[]) => {
    removed = rules
    options.ledger.append({ event: 'held', rules: rules.map(contentOf) })
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await restoreRulesOnce({ ...options, removed }, take)
    } catch (error) {
      // The list shows whether a request without a response had an effect.
      if (!(error instanceof NoResponse) || attempt === attempts) throw error
    }
  }
}

/** @param take called with the rules that the kit has to add again, before it removes some of them */
async function restoreRulesOnce(
  options: RestoreRulesOptions,
  take: (rules: readonly Draft[]) => void,
): Promise<readonly Rule[]> {
  const { order, removed } = options
  const list = await readList(options)
  // Of equal rules one may be in the list while another was removed.
  const missing = foundIn(removed, missingFrom(list, order))
  const wanted = foundIn([...list, ...missing], order)
  const present = foundIn(wanted, list)
  const isInOrder = present.every((rule, at) => sameContent(rule, wanted[at] ?? rule))
  if (isInOrder && present.length === wanted.length) return list
  if (options.isRemovalSafe === false) {
    for (const rule of missing) await addRule(rule, options)
    return readList(options)
  }
  const insertionEnd = wanted.length < 2 ? 'end' : await detectInsertionEnd(options)
  const fromFixedEnd = <Kind>(rules: readonly Kind[]) => (insertionEnd === 'end' ? rules : rules.toReversed())
  const target = fromFixedEnd(wanted)
  const standing = fromFixedEnd(present)
  const firstMoved = standing.findIndex((rule, at) => !sameContent(rule, target[at] ?? rule))
  const settled = firstMoved === -1 ? standing.length : firstMoved
  const moved = standing.slice(settled)
  take([...missing, ...moved])
  await removeRules(moved, insertionEnd, options)
  for (const rule of target.slice(settled)) await addRule(rule, options)
  return readList(options)
}

/** Adds rules of the kit temporarily and reads their positions. */
async function detectInsertionEnd(options: RestoreRulesOptions): Promise<InsertionEnd> {
  const { from: master, to: follower } = options.logins
  const probes = [1, 2].map((value): Draft => ({ master, follower, mode: 'mult', value, direction: 'same' }))
  for (const probe of probes) {
    // A nearly full list has no room for both. One next to other rules is enough.
    if ((await putBack(probe, options)) !== 201) break
  }
  const list = await readList(options)
  const own = list.filter((rule) => probes.some((probe) => sameContent(probe, rule)))
  const [first, second] = own
  await removeRules(own, 'end', options)
  if (first === undefined) return 'end'
  if (second !== undefined) return first.value < second.value ? 'end' : 'start'
  return list.indexOf(first) === 0 && list.length > 1 ? 'start' : 'end'
}

/** Removes these rules through the guard, of equal ones those nearest to the end where new rules are inserted. */
async function removeRules(
  rules: readonly Draft[],
  insertionEnd: InsertionEnd,
  options: RestoreRulesOptions,
): Promise<void> {
  if (rules.length === 0) return
  const { client, key, ledger, logins } = options
  const isOwn = (rule: Rule) => isWithin(logins, rule) || rules.some((other) => sameContent(other, rule))
  const list = await readList(options)
  const plugin = cleanUpPlugin({ client, key, ledger, isOwn }, list)
  const found = insertionEnd === 'end' ? foundIn(rules, list.toReversed()) : foundIn(rules, list).toReversed()
  for (const { index } of found) await plugin.remove(index)
}

/** Throws `RuleNotRestored` if the server rejects the rule. */
async function addRule(rule: Draft, options: RestoreRulesOptions): Promise<void> {
  const status = await putBack(rule, options)
  if (status !== 201) throw new RuleNotRestored(`a foreign rule could not be added again (status ${status})`)
}

export class RuleNotRestored extends Error {
  override readonly name = 'RuleNotRestored'
}
