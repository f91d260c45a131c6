import { type Rule, sameContent } from '../../plugin/model/rule.ts'
import { arrayOf, type RuleList } from '../../plugin/model/rule-list.ts'
import type { RecordedRequest } from './journal.ts'

export const isWrite = ({ entry }: RecordedRequest): boolean => entry.method === 'POST' || entry.method === 'DELETE'

export function isServed({ entry }: RecordedRequest, operation: string): boolean {
  return entry.operation === operation && entry.status !== null && entry.status < 300
}

export type RequestHistory = ReturnType<typeof createHistory>

/**
 * The requests before a request, collected in one pass. Searching back from each request would take quadratic time.
 * With `isTruncated` the client may have read the list before the first of them.
 */
export function createHistory(isTruncated: boolean) {
  const writes = new Map<string, { readonly last: RecordedRequest; readonly position: number }>()
  let count = 0
  let readAt = 0
  let changedAt = 0
  let lastWrite: RecordedRequest | undefined
  let rejectedKeys = 0
  /** The list that the client last read, or knows from its additions since. */
  let known: RuleList | undefined
  let added: RecordedRequest | undefined
  /** Whether the client knew the index of the rule: from that list, or from the response to its last addition. */
  const isSure = ({ before }: RecordedRequest, removed: Rule): boolean => {
    if (known !== undefined && sameList(known, before)) return true
    return added !== undefined && !added.before.includes(removed) && sameList(added.after, before)
  }
  return {
    add: (record: RecordedRequest): void => {
      const position = ++count
      if (isServed(record, 'list-rules')) {
        readAt = position
        known = record.after
      }
      if (isServed(record, 'add-rule')) {
        if (known !== undefined && sameList(known, record.before)) known = record.after
        added = record
      }
      if (record.before !== record.after) changedAt = position
      rejectedKeys = record.entry.status === 401 ? rejectedKeys + 1 : 0
      if (!isWrite(record)) return
      lastWrite = record
      writes.set(contentOf(record), { last: record, position })
    },
    /** The last write with the same content, and whether the list was read and changed since. */
    lastSame: (record: RecordedRequest) => {
      const earlier = writes.get(contentOf(record))
      if (earlier === undefined) return undefined
      const { last, position } = earlier
      return { last, wasRead: readAt > position, wasChanged: changedAt > position }
    },
    lastWrite: () => lastWrite,
    rejectedKeysInRow: () => rejectedKeys,
    /** The removal by an index that may have been outdated; null if the request is none. */
    staleRemoval: (record: RecordedRequest) => {
      const index = isServed(record, 'remove-rule') ? removedIndex(record) : -1
      const removed = arrayOf(record.before)[index]
      if (removed === undefined || isSure(record, removed) || (known === undefined && isTruncated)) return null
      const expected = arrayOf(known ?? [])[index]
      return {
        removed,
        /** The rule at that index in the list that the client knew; undefined if it was the same or there was none. */
        expected: expected === undefined || sameContent(expected, removed) ? undefined : expected,
        /** Whether the client had read a list. */
        hadList: known !== undefined,
      }
    },
  }
}

function contentOf({ entry: { method, target, body } }: RecordedRequest): string {
  return JSON.stringify([method, target, body])
}

/** Compares content, since a restart loads equal rules as new objects. */
function sameList(list: RuleList, other: RuleList): boolean {
  if (list === other) return true
  return list.length === other.length && list.every((rule, index) => sameContent(rule, arrayOf(other)[index] as Rule))
}

function removedIndex({ before, after }: RecordedRequest): number {
  const first = after.findIndex((rule, index) => rule !== arrayOf(before)[index])
  return first === -1 ? before.length - 1 : first
}
