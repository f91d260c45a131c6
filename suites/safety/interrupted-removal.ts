import { type Rule, sameContent } from '../model/rule.ts'
import { recordPossiblyLost } from './foreign-rules.ts'
import type { Ledger, RecordedRun } from './ledger.ts'
import { missingFrom } from './list-state.ts'

/**
 * A run that was killed during a DELETE never learnt what it removed. Existing rules that are missing now may be
 * it; and if its own rule is still there, but not at its index, a rule that no list shows.
 *
 * @param list the list before the clean-up
 */
export function recordInterruptedRemoval(
  { unconfirmed, opening, lost }: RecordedRun,
  list: readonly Rule[],
  ledger: Ledger,
): void {
  if (unconfirmed === null) return
  const missing = missingFrom([...list, ...lost], opening.before)
  const equal = list.filter((rule) => sameContent(rule, unconfirmed.rule))
  // With fewer of several equal rules, its own is gone.
  const isThere = equal.length >= unconfirmed.equal
  const isMoved = equal.every(({ index }) => index !== unconfirmed.index)
  const unlisted = isThere && (isMoved || missing.length > 0)
  if (missing.length > 0 || unlisted) recordPossiblyLost(missing, unlisted, { ledger })
  ledger.append({ event: 'confirmed' })
}
