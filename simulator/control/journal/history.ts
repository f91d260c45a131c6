import { type Rule, sameContent } from '../../plugin/model/rule.ts'
import { arrayOf, type RuleList } from '../../plugin/model/rule-list.ts'
import { splitTarget } from '../../server/target.ts'
import type { JournalEntry, RecordedRequest } from './journal.ts'

const isWrite = ({ entry }: RecordedRequest) => entry.method === 'POST' || entry.method === 'DELETE'

/** Statuses that do not judge the request itself, so that the same one may succeed later. */
const retryable: readonly number[] = [401, 408, 425, 429]

export const isFull = ({ entry }: RecordedRequest): boolean => entry.because.includes('plugin.capacity.answers-500')
const isUnknown = (record: RecordedRequest) => (record.entry.status ?? 500) >= 500 && !isFull(record)
const isRejected = ({ entry: { status } }: RecordedRequest) =>
  status !== null && status >= 400 && status < 500 && !retryable.includes(status)

/** Whether the client got the result of the operation. The response to HEAD has none. */
function hasResult({ entry }: RecordedRequest, operation: string): boolean {
  return operationOf(entry) === operation && entry.status !== null && entry.status < 300 && entry.method !== 'HEAD'
}

/** A fault that replaces the response leaves no operation. The client does not know that its list is not the real one. */
function operationOf({ operation, fault, method, target, answer }: JournalEntry): string | null {
  if (operation !== null || fault === null || method !== 'GET') return operation
  const isList = /^\/api\/rules\/?$/.test(splitTarget(target).path) && /^\s*\{.*"rules"\s*:\s*\[/s.test(answer ?? '')
  return isList ? 'list-rules' : null
}

/** A client that only fails must not fill the memory. */
const mostFailed = 1_000

export type RequestHistory = ReturnType<typeof createHistory>

/**
 * The requests before a request, collected in one pass. Searching back from each request would take quadratic time.
 * With `isTruncated` the client may have read the list before the first of them.
 */
export function createHistory(isTruncated: boolean) {
  /** By content: the writes with an unknown outcome since the list was read, and those rejected since it changed. */
  const unknown = new Map<string, JournalEntry>()
  const rejected = new Map<string, JournalEntry>()
  let wasFull = false
  let rejectedKeys = 0
  /** The list that the client last read, or knows from its additions to the end of it. */
  let known: RuleList | undefined
  let added: RecordedRequest | undefined
  /** Whether the client knew the index of the rule: from that list, or from the response to its last addition. */
  const isSure = ({ before }: RecordedRequest, removed: Rule): boolean => {
    if (known !== undefined && sameList(known, before)) return true
    return added !== undefined && !added.before.includes(removed) && sameList(added.after, before)
  }
  return {
    add: (record: RecordedRequest): void => {
      const { entry } = record
      if (hasResult(record, 'list-rules')) {
        unknown.clear()
        known = record.after
      }
      if (hasResult(record, 'add-rule')) {
        const isLast = changedIndex(record) === record.before.length
        if (isLast && known !== undefined && sameList(known, record.before)) known = record.after
        added = record
      }
      if (record.before !== record.after) rejected.clear()
      rejectedKeys = entry.status === 401 ? rejectedKeys + 1 : 0
      if (!isWrite(record)) return
      wasFull = isFull(record)
      if (unknown.size + rejected.size > mostFailed) {
        unknown.clear()
        rejected.clear()
      }
      const content = contentOf(record)
      if (!isUnknown(record)) {
        if (!retryable.includes(entry.status ?? 0)) unknown.delete(content)
      } else if (!unknown.has(content)) unknown.set(content, entry)
      if (!isRejected(record)) rejected.delete(content)
      else if (rejected.get(content)?.status !== entry.status) rejected.set(content, entry)
    },
    /** The first write with the same content whose outcome is unknown, if the list was not read since. */
    unknown: (record: RecordedRequest) => unknown.get(contentOf(record)),
    /** The first write with the same content that was rejected as the last one was, if the list has not changed since. */
    rejected: (record: RecordedRequest) => rejected.get(contentOf(record)),
    /** Whether the last write met a full list. */
    wasFull: () => wasFull,
    rejectedKeysInRow: () => rejectedKeys,
    /** The removal by an index that may have been outdated; null if the request is none. */
    staleRemoval: (record: RecordedRequest) => {
      const index = record.entry.operation === 'remove-rule' ? changedIndex(record) : -1
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

/** The first index at which the lists differ; -1 if they are the same, whatever the client was told. */
function changedIndex({ before, after }: RecordedRequest): number {
  if (before === after) return -1
  const first = after.findIndex((rule, index) => rule !== arrayOf(before)[index])
  return first === -1 ? after.length : first
}
