import type { Clock } from '../../server/clock.ts'
import type { JournalEntry, RecordedRequest } from './entry.ts'

/** Which entries are meant. What is left out matches anything. */
export interface EntryFilter {
  readonly method?: string
  /** The path without the query, exactly, e.g. `/api/rules/0`. */
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

/** How long somebody waits. */
export interface Patience {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

/** The requests that came, the newest last. */
export interface Journal {
  readonly find: (filter?: EntryFilter) => readonly JournalEntry[]
  readonly count: (filter?: EntryFilter) => number
  /**
   * Resolves to the matching entries as soon as there are so many. @throws WaitedInVainError when
   * they are not there in time (milliseconds; default: 5 s), or at once when the signal aborts
   */
  readonly waitFor: (
    count: number,
    filter?: EntryFilter,
    patience?: number | Patience,
  ) => Promise<readonly JournalEntry[]>
  /** Calls back for each entry from now on; returns what ends it. */
  readonly follow: (listener: (entry: JournalEntry) => void) => () => void
  readonly clear: () => void
}

/** The side of a journal that is written to. */
export interface WritableJournal extends Journal {
  /** The entry is made when somebody looks at it: most are never looked at, and making one takes time. */
  readonly write: (records: Omit<RecordedRequest, 'entry'> & { readonly entry: () => Omit<JournalEntry, 'id'> }) => void
  readonly records: () => readonly RecordedRequest[]
  /** How many entries are known no longer, for want of room or because they were cleared. */
  readonly forgotten: () => number
  /** Forgets even that there was something to forget. */
  readonly reset: () => void
  /** Grows when the journal is cleared. */
  readonly generation: () => number
  readonly clock: Clock
}

/** The requests that were waited for did not come. */
export class WaitedInVainError extends Error {
  override readonly name = 'WaitedInVainError'
  readonly hint = 'Look at journal.find() for what came instead, or wait longer.'
}

const defaultWaitMs = 5_000

/** A journal that keeps the newest entries, `most` of them. */
export function createJournal(most: number, clock: Clock): WritableJournal {
  let records: RecordedRequest[] = []
  let count = 0
  let forgotten = 0
  let volume = 0
  const listeners = new Set<(entry: JournalEntry) => void>()
  const find = (filter: EntryFilter = {}) => records.map(({ entry }) => entry).filter(matches(filter))
  const follow = (listener: (entry: JournalEntry) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const empty = () => {
    records = []
    count = 0
    volume++
  }
  return {
    clock,
    find,
    count: (filter) => find(filter).length,
    follow,
    waitFor: (wanted, filter, patience = {}) =>
      new Promise((resolve, reject) => {
        const { timeoutMs = defaultWaitMs, signal } = typeof patience === 'number' ? { timeoutMs: patience } : patience
        const look = () => {
          const found = find(filter)
          if (found.length < wanted) return
          end()
          resolve(found)
        }
        const giveUp = () => {
          end()
          const came = `${find(filter).length} of ${wanted}`
          reject(new WaitedInVainError(`${came} requests came within ${timeoutMs} ms: ${JSON.stringify(filter ?? {})}`))
        }
        const timer = setTimeout(giveUp, timeoutMs)
        const unfollow = follow(look)
        signal?.addEventListener('abort', giveUp)
        const end = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', giveUp)
          unfollow()
        }
        look()
      }),
    clear: () => {
      forgotten += records.length
      empty()
    },
    reset: () => {
      forgotten = 0
      empty()
    },
    forgotten: () => forgotten,
    generation: () => volume,
    write: ({ entry, before, after }) => {
      const one = lazily({ id: ++count, entry, before, after })
      records.push(one)
      if (records.length > most) {
        records.shift()
        forgotten++
      }
      for (const listener of listeners) listener(one.entry)
    },
    records: () => records,
  }
}

interface LazyRecord extends Omit<RecordedRequest, 'entry'> {
  readonly id: number
  readonly entry: () => Omit<JournalEntry, 'id'>
}

function lazily({ id, entry, before, after }: LazyRecord): RecordedRequest {
  let made: JournalEntry | undefined
  return {
    before,
    after,
    get entry() {
      made ??= { id, ...entry() }
      return made
    },
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
