import { setTimeout as delay } from 'node:timers/promises'
import { failure } from '../assertions/expect.ts'
import { FailedExpectation } from '../assertions/failure.ts'
import { isOfReusedConnection } from '../client/client.ts'
import { sendPatiently } from '../client/rate-limit.ts'
import { type HttpResponse, isSuccess, NoResponse, orNoResponse } from '../client/response.ts'
import { contentOf, describeRule, isSameList, type Rule } from '../model/rule.ts'
import { createPlugin, type Plugin } from '../session/plugin.ts'
import { rulesIn } from '../session/rules.ts'
import { cleanUpPlugin } from './guard.ts'
import { readLedger } from './ledger.ts'
import { ConcurrentEdit } from './list-change-errors.ts'
import type { IsOwn } from './list-state.ts'
import { type ForeignList, nothingKnown } from './protected-list.ts'

/** The rule to remove first. Another client may shift the indices, so its neighbours should be rules of the kit too. */
export function safestRemoval(list: readonly Rule[], isOwn: IsOwn): Rule | undefined {
  const own = list.map(isOwn)
  const at = own[0]
    ? own.findLastIndex((_, place) => own[place] && own[place - 1])
    : own.findIndex((_, place) => own[place] && own[place + 1])
  return list[at] ?? list.findLast(isOwn)
}

/** A server that ignores this many DELETE in a row is at fault. More would only cause an endless loop. */
const maxIgnored = 3

interface CleanedUp {
  readonly list: readonly Rule[]
  readonly fault: FailedExpectation | null
  /** The status of the last DELETE, if it removed nothing. */
  readonly status?: number
}

/**
 * Removes the rules of the kit, and reads the list again before each removal. Returns the resulting list, and the fault
 * of a server that keeps a rule: each DELETE succeeded, and the list stayed the same. Waits for a rate limit.
 */
export async function cleanUp(plugin: Plugin, isOwn: IsOwn): Promise<CleanedUp> {
  let list = rulesIn(await plugin.list())
  let ignored = 0
  let failed = 0
  for (;;) {
    const own = safestRemoval(list, isOwn)
    if (own === undefined) return { list, fault: null }
    const removed = await orNoResponse(sendPatiently(() => plugin.remove(own.index)))
    const next = await readShorter(plugin, list.length)
    // If a reused connection was closed, the list shows what the request did.
    const isShorter = next.length < list.length
    if (removed instanceof NoResponse) {
      if (!(isShorter && isOfReusedConnection(removed.cause))) throw removed
      ignored = 0
      list = next
      continue
    }
    const { status } = removed
    const isSame = isSameList(list, next)
    const isIgnored = isSuccess(removed) && isSame
    ignored = isIgnored ? ignored + 1 : 0
    // A gateway may fail once or twice.
    const isFailed = status >= 500 && isSame
    if (isFailed) failed += 1
    if (isIgnored && ignored === maxIgnored) return { list: next, fault: keepsRule(own, removed), status }
    // If the list is only late, the same index may belong to the next rule already.
    const isTemporary = isIgnored || (isFailed && failed < maxIgnored)
    const mayRepeat = isTemporary && list.slice(list.indexOf(own)).every(isOwn)
    if (!isShorter && !mayRepeat) return { list: next, fault: null, status }
    list = next
  }
}

function keepsRule(rule: Rule, response: HttpResponse): FailedExpectation {
  const [expected, actual] = [describeRule(contentOf(rule)), describeRule(rule)]
  const failed = failure('rule.listed-after-delete', { expected, actual, difference: null, response })
  return failed.with({ after: `several DELETE requests, each answered with ${response.status}` })
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
  /** How long to wait for other clients, which change the list, until a rule can be removed. */
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

/** How long a cache may hide rules that were added with 201. */
const maxHiddenMs = 20_000

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
  const patienceMs = Math.min(maxPatienceMs, timeoutMs / 4)
  const edits = new Set<string>()
  const knowledge = nothingKnown()
  const { removalUnsafeReason = null, mayHideRules = false } = (ledger && readLedger(ledger.file)) ?? {}
  let stop: CleanUpStop | null = removalUnsafeReason === null ? null : 'unsafe'
  let failedRemovals = 0
  let status = null as number | null
  let hasWaited = false

  let { list, tookMs } = await (mayHideRules ? readShown(options) : readPatiently(options))
  let fewest = list.filter(isOwn).length
  /** Since then only other clients have kept the kit from removing a rule. */
  let waitingSince = performance.now()
  while (stop === null && list.some(isOwn)) {
    const elapsedMs = performance.now() - waitingSince
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
    const problem = await cleanUp(cleanUpPlugin(options, list, knowledge), isOwn).then(
      (cleaned) => {
        status = cleaned.status ?? null
        return null
      },
      (error: unknown) => error,
    )
    // The list shows what a request without a response did.
    if (problem !== null && !(problem instanceof ConcurrentEdit || isPassing(problem))) throw problem
    ;({ list, tookMs } = await readPatiently(options))
    const count = list.filter(isOwn).length
    // Compared with all passes: rules that are added again in between must not cause an endless loop.
    const isFewer = count < fewest
    fewest = Math.min(fewest, count)
    if (isFewer || !(problem instanceof ConcurrentEdit)) waitingSince = performance.now()
    if (problem instanceof ConcurrentEdit) {
      if (edits.size < maxEdits) edits.add(problem.message)
      // The server itself may remove foreign rules along with those of the kit.
      if (knowledge.unclear >= maxUnclear) stop = 'unclear'
    } else if (isFewer) failedRemovals = 0
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
    /** The status of the last DELETE, if it removed nothing; null otherwise. */
    status,
  }
}

/** The list as soon as it shows a rule of the kit, or the last one that was read. */
async function readShown(options: RestoreOptions): ReturnType<typeof readPatiently> {
  const start = performance.now()
  for (;;) {
    const read = await readPatiently(options)
    if (read.list.some(options.isOwn) || performance.now() - start > maxHiddenMs) return read
    await delay(quietMs)
  }
}

/** The list, and the duration of the request without any pause before. Retries a few times without a valid response. */
async function readPatiently(options: RestoreOptions) {
  const start = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await createPlugin(options.client, options.key).list()
      return { list: rulesIn(response), tookMs: response.exchange.durationMs }
    } catch (error) {
      if (!isPassing(error) || attempt === attempts || performance.now() - start > maxRetriesMs) throw error
      await delay(quietMs)
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof NoResponse || error instanceof FailedExpectation
}
