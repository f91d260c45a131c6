import { type Rule, sameContent } from '../../plugin/model/rule.ts'
import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { RecordedRequest } from './entry.ts'

/** A removal by an index that the client could not be sure of. */
export interface StaleRemoval {
  readonly removed: Rule
  /** The other rule that stood there in the list that the client knew; undefined where it was the same or none. */
  readonly expected: Rule | undefined
  /** Whether the client had seen any list. */
  readonly hadList: boolean
}

/** Whether a request was an operation that was carried out. */
export function isServed({ entry }: RecordedRequest, operation: string): boolean {
  return entry.operation === operation && entry.status !== null && entry.status < 300
}

/**
 * The removals that relied on a list other than the one they met, by their entries. A client knows
 * the list that it read last; the answer to an addition tells it one index more.
 */
export function staleRemovals(
  records: readonly RecordedRequest[],
  isTruncated: boolean,
): ReadonlyMap<RecordedRequest, StaleRemoval> {
  const found = new Map<RecordedRequest, StaleRemoval>()
  let known: RuleList | undefined
  let added: RecordedRequest | undefined
  for (const record of records) {
    if (isServed(record, 'list-rules')) known = record.after
    if (isServed(record, 'add-rule')) {
      if (known !== undefined && sameList(known, record.before)) known = record.after
      added = record
    }
    if (!isServed(record, 'remove-rule')) continue
    const index = removedIndex(record)
    const removed = record.before[index]
    if (removed === undefined || isSure(record, { known, added, removed })) continue
    if (known === undefined && isTruncated) continue
    const expected = known?.[index]
    found.set(record, {
      removed,
      expected: expected === undefined || sameContent(expected, removed) ? undefined : expected,
      hadList: known !== undefined,
    })
  }
  return found
}

interface ClientKnowledge {
  readonly known: RuleList | undefined
  readonly added: RecordedRequest | undefined
  readonly removed: Rule
}

function isSure(record: RecordedRequest, { known, added, removed }: ClientKnowledge): boolean {
  if (known !== undefined && sameList(known, record.before)) return true
  return added !== undefined && !added.before.includes(removed) && sameList(added.after, record.before)
}

/** A restart reads the same rules anew. */
function sameList(list: RuleList, other: RuleList): boolean {
  if (list === other) return true
  return list.length === other.length && list.every((rule, index) => sameContent(rule, other[index] as Rule))
}

/** Where in the list a rule went away. */
function removedIndex({ before, after }: RecordedRequest): number {
  const first = after.findIndex((rule, index) => rule !== before[index])
  return first === -1 ? before.length - 1 : first
}
