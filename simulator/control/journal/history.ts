import type { RecordedRequest } from './entry.ts'
import { isServed } from './stale-removals.ts'

/** A write that was sent before. */
interface EarlierWrite {
  readonly last: RecordedRequest
  /** Whether the list was read since. */
  readonly wasRead: () => boolean
  /** Whether it changed since. */
  readonly wasChanged: () => boolean
}

export const isWrite = ({ entry }: RecordedRequest): boolean => entry.method === 'POST' || entry.method === 'DELETE'

export type RequestHistory = ReturnType<typeof createHistory>

/** The requests before a request, collected in one pass. Searching back from each request would take quadratic time. */
export function createHistory() {
  const writes = new Map<string, EarlierWrite>()
  let count = 0
  let readAt = 0
  let changedAt = 0
  let lastWrite: RecordedRequest | undefined
  let rejectedKeys = 0
  return {
    add: (record: RecordedRequest): void => {
      const position = ++count
      if (isServed(record, 'list-rules')) readAt = position
      if (record.before !== record.after) changedAt = position
      rejectedKeys = record.entry.status === 401 ? rejectedKeys + 1 : 0
      if (!isWrite(record)) return
      lastWrite = record
      writes.set(contentOf(record), {
        last: record,
        wasRead: () => readAt > position,
        wasChanged: () => changedAt > position,
      })
    },
    /** The last write with the same content. */
    lastSame: (record: RecordedRequest) => writes.get(contentOf(record)),
    lastWrite: () => lastWrite,
    /** How many requests in a row were rejected for their key. */
    rejectedKeysInRow: () => rejectedKeys,
  }
}

function contentOf({ entry: { method, target, body } }: RecordedRequest): string {
  return JSON.stringify([method, target, body])
}
