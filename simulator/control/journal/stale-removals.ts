import { type Rule, sameContent } from '../../plugin/model/rule.ts'
import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { Kept } from './entry.ts'

/** A removal by an index that the client could not be sure of. */
export interface Removal {
  readonly gone: Rule
  /** The other rule that stood there in the list that the client knew; undefined where it was the same or none. */
  readonly meant: Rule | undefined
  /** Whether the client had seen any list. */
  readonly hadList: boolean
}

/** Whether a request was an operation that was carried out. */
export function isServed({ entry }: Kept, operation: string): boolean {
  return entry.operation === operation && entry.status !== null && entry.status < 300
}

/**
 * The removals that relied on a list other than the one they met, by their entries. A client knows
 * the list that it read last; the answer to an addition tells it one index more.
 */
export function listsKnown(kept: readonly Kept[], beginningIsForgotten: boolean): ReadonlyMap<Kept, Removal> {
  const found = new Map<Kept, Removal>()
  let known: RuleList | undefined
  let added: Kept | undefined
  for (const one of kept) {
    if (isServed(one, 'list-rules')) known = one.after
    if (isServed(one, 'add-rule')) {
      if (known !== undefined && sameList(known, one.before)) known = one.after
      added = one
    }
    if (!isServed(one, 'remove-rule')) continue
    const place = removedPlace(one)
    const gone = one.before[place]
    if (gone === undefined || isSure(one, { known, added, gone })) continue
    if (known === undefined && beginningIsForgotten) continue
    const meant = known?.[place]
    found.set(one, {
      gone,
      meant: meant === undefined || sameContent(meant, gone) ? undefined : meant,
      hadList: known !== undefined,
    })
  }
  return found
}

interface Known {
  readonly known: RuleList | undefined
  readonly added: Kept | undefined
  readonly gone: Rule
}

function isSure(one: Kept, { known, added, gone }: Known): boolean {
  if (known !== undefined && sameList(known, one.before)) return true
  return added !== undefined && !added.before.includes(gone) && sameList(added.after, one.before)
}

/** A restart reads the same rules anew. */
function sameList(list: RuleList, other: RuleList): boolean {
  if (list === other) return true
  return list.length === other.length && list.every((rule, place) => sameContent(rule, other[place] as Rule))
}

/** Where in the list a rule went away. */
function removedPlace({ before, after }: Kept): number {
  const first = after.findIndex((rule, place) => rule !== before[place])
  return first === -1 ? before.length - 1 : first
}
