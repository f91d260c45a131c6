import type { Clock } from '../clock.ts'
import type { JournalEntry, Kept } from './entry.ts'

/** Which entries are meant. What is left out matches anything. */
export interface EntryFilter {
  readonly method?: string
  /** The path without the query, exactly. */
  readonly path?: string
  /** Null for requests without an answer. */
  readonly status?: number | null
  readonly operation?: string
  /** The id of a requirement or a question that the decision follows from. */
  readonly because?: string
  readonly fault?: string
  /** Only entries with a greater id. */
  readonly after?: number
}

/** The requests that came, the newest last. */
export interface Journal {
  readonly find: (filter?: EntryFilter) => readonly JournalEntry[]
  readonly count: (filter?: EntryFilter) => number
  /**
   * Resolves to the matching entries as soon as there are so many. @throws WaitedInVainError when
   * they are not there in time
   */
  readonly waitFor: (count: number, filter?: EntryFilter, timeoutMs?: number) => Promise<readonly JournalEntry[]>
  /** Calls back for each entry from now on; returns what ends it. */
  readonly follow: (listener: (entry: JournalEntry) => void) => () => void
  readonly clear: () => void
}

/** The side of a journal that is written to. */
export interface JournalBook extends Journal {
  readonly write: (kept: Omit<Kept, 'entry'> & { readonly entry: Omit<JournalEntry, 'id'> }) => void
  readonly kept: () => readonly Kept[]
  readonly clock: Clock
}

/** The requests that were waited for did not come. */
export class WaitedInVainError extends Error {
  override readonly name = 'WaitedInVainError'
  readonly hint = 'Look at journal.find() for what came instead, or wait longer.'
}

const defaultWaitMs = 5_000

/** A journal that keeps the newest entries, `most` of them. */
export function journalBook(most: number, clock: Clock): JournalBook {
  let kept: Kept[] = []
  let count = 0
  const listeners = new Set<(entry: JournalEntry) => void>()
  const find = (filter: EntryFilter = {}) => kept.map(({ entry }) => entry).filter(matches(filter))
  const follow = (listener: (entry: JournalEntry) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    clock,
    find,
    count: (filter) => find(filter).length,
    follow,
    waitFor: (wanted, filter, timeoutMs = defaultWaitMs) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = find(filter)
          if (found.length < wanted) return
          end()
          resolve(found)
        }
        const timer = setTimeout(() => {
          end()
          const came = `${find(filter).length} of ${wanted}`
          reject(new WaitedInVainError(`${came} requests came within ${timeoutMs} ms: ${JSON.stringify(filter ?? {})}`))
        }, timeoutMs)
        const unfollow = follow(look)
        const end = () => {
          clearTimeout(timer)
          unfollow()
        }
        look()
      }),
    clear: () => {
      kept = []
      count = 0
    },
    write: ({ entry, before, after }) => {
      const numbered = { ...entry, id: ++count }
      kept.push({ entry: numbered, before, after })
      if (kept.length > most) kept.shift()
      for (const listener of listeners) listener(numbered)
    },
    kept: () => kept,
  }
}

function matches(filter: EntryFilter): (entry: JournalEntry) => boolean {
  const { method, path, status, operation, because, fault, after = 0 } = filter
  return (entry) =>
    (method === undefined || entry.method === method.toUpperCase()) &&
    (path === undefined || entry.target.split('?')[0] === path) &&
    (status === undefined || entry.status === status) &&
    (operation === undefined || entry.operation === operation) &&
    (because === undefined || entry.because.includes(because)) &&
    (fault === undefined || entry.fault === fault) &&
    entry.id > after
}
