import { type Rule, sameContent } from '../model/rule.ts'
import { missingFrom } from './list-state.ts'

/** What a DELETE may have removed, if the server removed the rule that was at the index at that moment. */
export interface RemovalCandidates {
  /** Rules that are in the list before and not in the one after. */
  readonly rules: readonly Rule[]
  /** Whether it may also have removed a rule that is in neither list: another client added it in between. */
  readonly unlisted: boolean
}

/**
 * Every rule that the DELETE of a position may have removed, whatever other clients removed and added
 * between the two lists, before or after it. Nothing, if no order of these edits explains the lists: then the
 * server removed a rule at another position.
 *
 * A rule that came from `from` to `position` was there because exactly `from - position` rules before it
 * had been removed. New rules are appended; where the list shows others, every missing rule is a candidate.
 *
 * @param position the place of the index in the list before, from 0; null if no rule can have that index
 */
export function removalCandidates(
  before: readonly Rule[],
  after: readonly Rule[],
  position: number | null,
): RemovalCandidates {
  if (position === null) return { rules: [], unlisted: false }
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
  // At the first place the server may also insert new rules.
  return { rules, unlisted: position === 0 || (survivors <= position && position <= furthest) }
}

/** For each place of a list: how many rules at the start of the other list the rules before it match, in order. */
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
