import { contentOf, type Draft, type Rule, sameContent } from '../../model/rule.ts'
import type { Ledger } from '../../safety/ledger.ts'
import { foundIn, keepOrder, missingFrom } from '../../safety/list-state.ts'
import type { LiveState } from './live-server.ts'

/** Takes over the order that another client has given to the foreign rules since the list was last read. */
export function noticeOrder(list: readonly Rule[], state: LiveState, ledger: Ledger): void {
  const { seen, order } = state
  state.seen = list
  if (seen === null || keepOrder(seen, list)) return
  const present = foundIn(order, list).map(contentOf)
  state.order = withMissing(present, missingFrom(present, order), order)
  ledger.append({ event: 'order', order: state.order })
}

/** The present rules in the order of the list, with each missing one behind the rule that was before it. */
function withMissing(present: readonly Draft[], missing: readonly Draft[], order: readonly Draft[]): readonly Draft[] {
  const wanted = [...present]
  const absent = new Set(foundIn(missing, missingFrom(present, order)))
  let at = 0
  for (const rule of order) {
    const isSame = (other: Draft) => sameContent(other, rule)
    if (absent.has(rule)) {
      wanted.splice(at, 0, rule)
      at += 1
    } else if (wanted.some(isSame)) {
      const later = wanted.findIndex((other, place) => place >= at && isSame(other))
      at = (later === -1 ? wanted.findIndex(isSame) : later) + 1
    }
  }
  return wanted
}
