import type { Exchange } from '../client/exchange.ts'
import { isSuccess } from '../client/response.ts'
import { type Rule, sameContent } from '../model/rule.ts'
import { differences, foreignChange, foundIn, type IsOwn, missingFrom } from './list-state.ts'

/** What a request of the kit should do to the list. */
export type Operation =
  | { readonly kind: 'add' }
  /** The index in the path; null if a server can read none. */
  | { readonly kind: 'remove'; readonly index: number | null }

export interface Answer {
  /** Null if no response arrived. */
  readonly status: number | null
  readonly exchange: Exchange | null
}

export function answerIn(exchange: Exchange | null): Answer {
  return { status: exchange?.response?.status ?? null, exchange }
}

/** A request of the kit, and the lists that were read right before and after it. */
export interface ListStep extends Answer {
  readonly operation: Operation
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
}

/** A step, and the same request again. */
export type Steps = readonly [first: ListStep, ...ListStep[]]

export type Explanation =
  /** Another client shifted the indices, so that the DELETE removed this foreign rule. */
  | { readonly kind: 'hit'; readonly rule: Rule }
  /**
   * The server or another client did it. `isHarmful`: foreign rules are missing, or in another order. `candidates`: what a
   * conforming server may have removed.
   */
  | { readonly kind: 'ambiguous'; readonly isHarmful: boolean; readonly candidates: RemovalCandidates }

/**
 * Explains what happened to the foreign rules; null if none is affected. The checks judge what happened to those of the
 * kit. What another client may have done never counts against the server.
 */
export function explain(step: ListStep, isOwn: IsOwn): Explanation | null {
  const { lost, reordered } = foreignChange(step.before, step.after, isOwn)
  const isHarmful = lost.length > 0 || reordered
  const { operation } = step
  if (operation.kind === 'add') {
    return isHarmful ? { kind: 'ambiguous', isHarmful, candidates: noCandidates } : null
  }
  if (isRemovalAsExpected(step, isOwn)) return null
  const candidates = candidatesOf(step, operation.index)
  const [only, ...others] = candidates.rules
  const isOnly = !candidates.unlisted && others.every((rule) => only !== undefined && sameContent(rule, only))
  if (isSuccess(step) && isOnly && only !== undefined && !isOwn(only)) return { kind: 'hit', rule: only }
  const isUnexplained = isSuccess(step) && candidates.rules.length === 0 && !candidates.unlisted
  // A request without an index is not repeated, since a server that nevertheless reads one in it would remove a foreign
  // rule.
  if (!isHarmful && (namedBy(step) === undefined || isUnexplained)) return null
  return { kind: 'ambiguous', isHarmful, candidates }
}

/** The rule at the index of a DELETE; undefined if there is none. */
export function namedBy({ operation, before }: Pick<ListStep, 'operation' | 'before'>): Rule | undefined {
  if (operation.kind === 'add' || operation.index === null) return undefined
  return before.find((rule) => rule.index === operation.index)
}

/** Whether the response explains which rules are missing, and the foreign rules are in the same order. */
function isRemovalAsExpected(step: ListStep, isOwn: IsOwn): boolean {
  const { before, after } = step
  const named = namedBy(step)
  const [gone, ...further] = missingFrom(after, before)
  const rest = before.filter((rule) => rule !== gone && !isOwn(rule))
  if (further.length > 0 || differences(rest, foundIn(rest, after)).length > 0) return false
  if (isRejection(step)) return gone === undefined
  if (gone === undefined) return !isSuccess(step) || named === undefined
  return named !== undefined && sameContent(gone, named)
}

export function isRejection({ status }: Pick<ListStep, 'status'>): boolean {
  return status !== null && status >= 300 && status < 500
}

/** What a DELETE may have removed if the server removed the rule that was at the index at that moment. */
export interface RemovalCandidates {
  /** Rules that are in the list before but not in the one after. */
  readonly rules: readonly Rule[]
  /** Whether it may also have removed a rule that is in neither list: another client added it in between. */
  readonly unlisted: boolean
}

const noCandidates: RemovalCandidates = { rules: [], unlisted: false }

function candidatesOf(step: ListStep, index: number | null): RemovalCandidates {
  const { before, after } = step
  if (isRejection(step)) return noCandidates
  const place = placeOfNamed(step)
  if (place !== -1) return removalCandidates(before, after, place)
  return removalCandidates(before, after, index === null ? null : index - (before[0]?.index ?? 0))
}

/**
 * Every rule that the DELETE of a zero-based position may have removed, whatever other clients removed and added
 * between the two lists; the position is null if no rule can have the index. Empty if no order of these edits explains
 * the lists, so that the server must have removed another rule.
 *
 * A rule that came from `from` to `position` was there because exactly `from - position` rules before it had been
 * removed. New rules are appended; where the list shows others, every missing rule is a candidate.
 */
export function removalCandidates(
  before: readonly Rule[],
  after: readonly Rule[],
  position: number | null,
): RemovalCandidates {
  if (position === null) return noCandidates
  const missing = missingFrom(after, before)
  const fits = matchedBefore(before, after)
  const survivors = fits[before.length] ?? 0
  const isAppendOnly = survivors + missing.length === before.length
  if (!isAppendOnly) return { rules: missing, unlisted: true }

  const fromEnd = matchedBefore(before.toReversed(), after.slice(0, survivors).toReversed())
  const rules = before.filter((_, from) => {
    const behind = fromEnd[before.length - 1 - from] ?? 0
    return from >= position && survivors - behind <= Math.min(fits[from] ?? 0, position)
  })
  const furthest = before.length + after.length - survivors
  // At the first position the server may also insert new rules.
  return { rules, unlisted: position === 0 || (survivors <= position && position <= furthest) }
}

/** For each position of a list: how many rules at the start of the other list match the rules before it, in order. */
function matchedBefore(list: readonly Rule[], other: readonly Rule[]): readonly number[] {
  const counts = [0]
  let matched = 0
  for (const rule of list) {
    const next = other[matched]
    if (next !== undefined && sameContent(rule, next)) matched += 1
    counts.push(matched)
  }
  return counts
}

/** The effect of a repeated request. `unclear`: another client may have caused it. */
export function effectOf(step: ListStep, isOwn: IsOwn): 'harm' | 'harmless' | 'unclear' {
  const { before, after, status } = step
  const { lost, added, reordered } = foreignChange(before, after, isOwn)
  if (added.length > 0) return 'unclear'
  if (step.operation.kind === 'add') {
    const isOwnLost = status === 201 && after.length <= before.length
    return isOwnLost || lost.length > 0 || reordered ? 'harm' : 'harmless'
  }
  if (differences(before, after).length === 0) return 'harmless'
  return isRemovalAsExpected(step, isOwn) ? 'unclear' : 'harm'
}

/**
 * Whether requests harmed the list in the same way, which another client is unlikely to do several times at these
 * moments: an empty list each time, or the same positions from the start, the end or the named rule; and the same new order.
 */
export function isSameHarm(steps: readonly ListStep[], isOwn: IsOwn): boolean {
  const isSame = (keyOf: (step: ListStep) => string | null) => {
    const keys = new Set(steps.map(keyOf))
    return keys.size === 1 && !keys.has(null)
  }
  const removedFrom = (originOf: (step: ListStep) => number) => isSame((step) => placesOfRemoved(step, originOf(step)))
  return (
    isSame((step) => newOrder(step, isOwn)) &&
    (steps.every(({ after }) => after.length === 0) ||
      removedFrom(() => 0) ||
      removedFrom(({ before }) => before.length) ||
      removedFrom(placeOfNamed))
  )
}

/** The position of the rule at the index of a DELETE; -1 if there is none. */
function placeOfNamed(step: ListStep): number {
  const named = namedBy(step)
  return named === undefined ? -1 : step.before.indexOf(named)
}

function placesOfRemoved(step: ListStep, origin: number): string | null {
  if (origin === -1) return null
  const { before, after } = step
  const named = namedBy(step)
  const removed = missingFrom(after, before).filter((rule) => rule !== named)
  return removed.map((rule) => before.indexOf(rule) - origin).join()
}

/** The former positions of the remaining foreign rules in their new order; empty for the same order. */
function newOrder({ before, after }: ListStep, isOwn: IsOwn): string {
  if (!foreignChange(before, after, isOwn).reordered) return ''
  const kept = foundIn(after, before).filter((rule) => !isOwn(rule))
  const free = new Set(kept.keys())
  const places = foundIn(before, after)
    .filter((rule) => !isOwn(rule))
    .map((rule) => {
      const place = [...free].find((at) => sameContent(kept[at] ?? rule, rule)) ?? -1
      free.delete(place)
      return place
    })
  return places.join()
}

/** The foreign rules that these requests removed and that are still missing. */
export function lostWith(steps: Steps, list: readonly Rule[], isOwn: IsOwn): readonly Rule[] {
  const lost = steps.flatMap(({ before, after }) => foreignChange(before, after, isOwn).lost)
  return foundIn(lost, foreignChange(steps[0].before, list, isOwn).lost)
}
