import { type Rule, sameContent } from '../../plugin/model/rule.ts'
import { arrayOf, type RuleList } from '../../plugin/model/rule-list.ts'
import type { RecordedRequest } from './entry.ts'

/** A removal by an index that may have been outdated. */
export interface StaleRemoval {
  readonly removed: Rule
  /** The rule at that index in the list that the client knew; undefined if it was the same or there was none. */
  readonly expected: Rule | undefined
  /** Whether the client had read a list. */
  readonly hadList: boolean
}

/** Whether the request was this operation and succeeded. */
export function isServed({ entry }: RecordedRequest, operation: string): boolean {
  return entry.operation === operation && entry.status !== null && entry.status < 300
}

/**
 * Finds the removals that relied on an outdated list. A client knows the list that it last read, and the index in the
 * response to its last addition.
 * @returns a function to call with each request, in order
 */
export function createStaleRemovalFinder(isTruncated: boolean): (record: RecordedRequest) => StaleRemoval | null {
  let known: RuleList | undefined
  let added: RecordedRequest | undefined
  /** Whether the client knew the index of the rule. */
  const isSure = ({ before }: RecordedRequest, removed: Rule): boolean => {
    if (known !== undefined && sameList(known, before)) return true
    return added !== undefined && !added.before.includes(removed) && sameList(added.after, before)
  }
  return (record) => {
    if (isServed(record, 'list-rules')) known = record.after
    if (isServed(record, 'add-rule')) {
      if (known !== undefined && sameList(known, record.before)) known = record.after
      added = record
    }
    if (!isServed(record, 'remove-rule')) return null
    const index = removedIndex(record)
    const removed = arrayOf(record.before)[index]
    if (removed === undefined || isSure(record, removed)) return null
    if (known === undefined && isTruncated) return null
    const expected = arrayOf(known ?? [])[index]
    return {
      removed,
      expected: expected === undefined || sameContent(expected, removed) ? undefined : expected,
      hadList: known !== undefined,
    }
  }
}

/** Compares content, since a restart loads equal rules as new objects. */
function sameList(list: RuleList, other: RuleList): boolean {
  if (list === other) return true
  return list.length === other.length && list.every((rule, index) => sameContent(rule, arrayOf(other)[index] as Rule))
}

/** The position of the removed rule. */
function removedIndex({ before, after }: RecordedRequest): number {
  const first = after.findIndex((rule, index) => rule !== arrayOf(before)[index])
  return first === -1 ? before.length - 1 : first
}
