import { type Rule, sameContent } from '../model/rule.ts'
import { type ForeignList, lostBetween } from './foreign-rules.ts'
import { differences, foundIn, missingFrom } from './list-state.ts'

/** A request that harmed the list, by the lists right before and after it. */
export interface Harm {
  readonly before: readonly Rule[]
  readonly after: readonly Rule[]
  /** The rule that the request was to remove; undefined for another request. */
  readonly named?: Rule | undefined
}

type Ownership = Pick<ForeignList, 'isOwn'>

/**
 * Whether requests harmed the list in the same way: the removed rules stood at the same places, counted from the
 * start, the end or the rule that the request names, and the others were moved in the same way. Another client
 * that edits the list at such moments rarely does that several times.
 */
export function isSameHarm(harms: readonly Harm[], options: Ownership): boolean {
  const origins = [
    () => 0,
    ({ before }: Harm) => before.length,
    ({ before, named }: Harm) => (named === undefined ? null : before.indexOf(named)),
  ]
  const isSame = (keyOf: (harm: Harm) => string | null) => {
    const keys = new Set(harms.map(keyOf))
    return keys.size === 1 && !keys.has(null)
  }
  return isSame((harm) => newOrder(harm, options)) && origins.some((origin) => isSame((harm) => places(harm, origin)))
}

function places(harm: Harm, originOf: (harm: Harm) => number | null): string | null {
  const { before, after, named } = harm
  const origin = originOf(harm)
  if (origin === null) return null
  const removed = missingFrom(after, before).filter((rule) => rule !== named)
  return removed.map((rule) => before.indexOf(rule) - origin).join()
}

/** The places in the list before of the foreign rules that are left, in their new order; empty for the same order. */
function newOrder({ before, after }: Harm, { isOwn }: Ownership): string {
  const [one, other] = [before, after].map((list) => list.filter((rule) => !isOwn(rule))) as [Rule[], Rule[]]
  const kept = foundIn(other, one)
  const now = foundIn(one, other)
  if (differences(kept, now).length === 0) return ''
  const free = new Set(kept.keys())
  const places = now.map((rule) => {
    const place = [...free].find((at) => sameContent(kept[at] ?? rule, rule)) ?? -1
    free.delete(place)
    return place
  })
  return places.join()
}

/** The foreign rules that these requests removed, and that a list still lacks. */
export function lostWith(harms: readonly Harm[], list: readonly Rule[], options: Ownership): readonly Rule[] {
  const lost = harms.flatMap(({ before, after }) => lostBetween(before, after, options))
  const [first] = harms
  return first === undefined ? [] : foundIn(lost, lostBetween(first.before, list, options))
}
