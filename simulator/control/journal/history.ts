import type { Kept } from './entry.ts'
import { isServed } from './stale-removals.ts'

/** What came before a request, kept as it goes by: whoever looked back anew each time would be quadratic. */
export interface Past {
  readonly add: (one: Kept) => void
  /** The last write of the same words. */
  readonly lastSame: (one: Kept) => Earlier | undefined
  readonly lastWrite: () => Kept | undefined
  /** How many of the last requests were refused for their key. */
  readonly keysRefusedInRow: () => number
}

/** A write that was sent before. */
interface Earlier {
  readonly last: Kept
  /** Whether the list was read since. */
  readonly wasRead: () => boolean
  /** Whether it changed since. */
  readonly wasChanged: () => boolean
}

export const isWrite = ({ entry }: Kept): boolean => entry.method === 'POST' || entry.method === 'DELETE'

export function emptyPast(): Past {
  const writes = new Map<string, Earlier>()
  let count = 0
  let readAt = 0
  let changedAt = 0
  let lastWrite: Kept | undefined
  let keysRefused = 0
  return {
    add: (one) => {
      const place = ++count
      if (isServed(one, 'list-rules')) readAt = place
      if (one.before !== one.after) changedAt = place
      keysRefused = one.entry.status === 401 ? keysRefused + 1 : 0
      if (!isWrite(one)) return
      lastWrite = one
      writes.set(wordsOf(one), { last: one, wasRead: () => readAt > place, wasChanged: () => changedAt > place })
    },
    lastSame: (one) => writes.get(wordsOf(one)),
    lastWrite: () => lastWrite,
    keysRefusedInRow: () => keysRefused,
  }
}

function wordsOf({ entry: { method, target, body } }: Kept): string {
  return JSON.stringify([method, target, body])
}
