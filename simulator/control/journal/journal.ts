import pTimeout from 'p-timeout'
import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { StageName } from '../../server/api.ts'
import { check, checkOptions, InvalidOptionError, type OptionKinds } from '../../server/check-option.ts'
import type { Clock } from '../../server/clock.ts'
import { createNotifier } from '../../server/notifier.ts'
import { maxMs } from '../faults/fault.ts'

/** Which entries match. A member that is left out matches every entry. */
export interface EntryFilter {
  readonly method?: string
  /** The whole path without the query, e.g. `/api/rules/0`. */
  readonly path?: string
  /** Null for requests without a response. */
  readonly status?: number | null
  readonly operation?: string
  /** The id of a requirement or a question that the decision follows from. */
  readonly because?: string
  readonly fault?: string
  /** Only entries with a greater id. */
  readonly after?: number
}

const filterKinds: OptionKinds<EntryFilter> = {
  ...{ method: 'string', path: 'string', status: 'status', operation: 'string', because: 'string', fault: 'string' },
  after: 'count',
}

export interface WaitOptions {
  /** Default: 5 s. */
  readonly timeoutMs?: number
  /** Ends the wait when it aborts. */
  readonly signal?: AbortSignal
}

const waitKinds: OptionKinds<WaitOptions> = { timeoutMs: 'milliseconds', signal: 'object' }

/** The recorded requests, the newest last. A filter with an unknown member is rejected, as it would match anything. */
export interface Journal {
  readonly find: (filter?: EntryFilter) => readonly JournalEntry[]
  readonly count: (filter?: EntryFilter) => number
  /**
   * Resolves to the matching entries as soon as there are `count` of them.
   *
   * @param options a number is the timeout in milliseconds
   * @throws WaitTimeoutError after the timeout, or when the signal aborts
   * @throws InvalidOptionError for a `count` above the option `journal`
   */
  readonly waitFor: (
    count: number,
    filter?: EntryFilter,
    options?: number | WaitOptions,
  ) => Promise<readonly JournalEntry[]>
  /** Calls the listener for each new entry; returns a function that ends the subscription. */
  readonly subscribe: (listener: (entry: JournalEntry) => void) => () => void
  /** Like `subscribe`, but adds almost nothing to the time of a request. */
  readonly subscribeSummaries: (listener: (summary: RequestSummary) => void) => () => void
  readonly clear: () => void
}

/** A journal that requests are written to. */
export type WritableJournal = ReturnType<typeof createJournal>

/** A record that the journal numbers. Its entry is made when it is first read, since most are never read. */
export interface NumberedRecord extends RecordedRequest, RequestSummary {
  id: number
}

/** The awaited requests did not arrive before the timeout. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
  readonly hint = 'See the journal for the requests that arrived, or use a longer timeout.'
}

/** A journal of the newest `limit` entries. */
export function createJournal(limit: number, clock: Clock) {
  let records: RecordedRequest[] = []
  let count = 0
  let forgotten = 0
  const written = createNotifier<NumberedRecord>()
  const find = (filter: EntryFilter = {}) => records.map(({ entry }) => entry).filter(matches(filter))
  const clear = () => {
    records = []
    count = 0
  }
  const journal: Journal = {
    find,
    count: (filter) => find(filter).length,
    subscribe: (listener) => written.subscribe(({ entry }) => listener(entry)),
    subscribeSummaries: written.subscribe,
    waitFor: async (wanted, filter, options = {}) => {
      check('count', wanted, 'count')
      if (wanted > limit)
        throw new InvalidOptionError('count', `at most ${limit}, as the journal keeps no more requests`)
      const wait: WaitOptions = typeof options === 'number' ? { timeoutMs: options } : options
      checkOptions(wait, waitKinds)
      const { timeoutMs = 5_000, signal } = wait
      let unsubscribe: () => void = () => undefined
      const arrived = new Promise<readonly JournalEntry[]>((resolve) => {
        const check = () => {
          const found = find(filter)
          if (found.length >= wanted) resolve(found)
        }
        unsubscribe = written.subscribe(check)
        check()
      })
      try {
        const milliseconds = Math.min(Math.max(timeoutMs, 1), maxMs)
        return await pTimeout(arrived, { milliseconds, ...(signal && { signal }) })
      } catch {
        const found = `${find(filter).length} of ${wanted} requests arrived within ${timeoutMs} ms`
        throw new WaitTimeoutError(`${found}: ${JSON.stringify(filter ?? {})}`)
      } finally {
        unsubscribe()
      }
    },
    clear: () => {
      forgotten += records.length
      clear()
    },
  }
  return {
    ...journal,
    clock,
    /** Clears the journal and the number of dropped entries. */
    reset: () => {
      forgotten = 0
      clear()
    },
    /** How many entries were dropped because the journal was full or was cleared. */
    forgotten: () => forgotten,
    write: (record: NumberedRecord): void => {
      record.id = ++count
      records.push(record)
      if (records.length > limit) {
        records.shift()
        forgotten++
      }
      written.notify(record)
    },
    /** Another array after the journal was cleared. */
    records: (): readonly RecordedRequest[] => records,
  }
}

function matches(filter: EntryFilter): (entry: JournalEntry) => boolean {
  checkOptions(filter, filterKinds)
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

/** One request and its response. Holds no key; long strings are truncated. */
export interface JournalEntry {
  /** Counted from 1 since the start, the last reset or the last clear. */
  readonly id: number
  /** When the request arrived, by the simulator's clock; ISO 8601, UTC. */
  readonly at: string
  readonly method: string
  /** The request target, e.g. `/api/rules/0`. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as a string, as far as it was received; null if it was not read or is too large. */
  readonly body: string | null
  /** Null if the connection was closed without a response. */
  readonly status: number | null
  /** The body of the response as a string; null without one. */
  readonly answer: string | null
  /** The last stage of the request: `render` if it was served; null if it is not valid HTTP. */
  readonly stage: StageName | null
  /** The operation, e.g. `add-rule`; null if it was not determined. */
  readonly operation: string | null
  /** The decision as text. */
  readonly decision: string
  /** Ids of the requirements and questions that the decision follows from. */
  readonly because: readonly string[]
  /** The fault that was played on it; null for none. */
  readonly fault: string | null
  readonly durationMs: number
  /** The number of rules before and after the request. */
  readonly rulesBefore: number
  readonly rulesAfter: number
  /** Whether the request target contained the key of the plugin. */
  readonly keyInTarget: boolean
  /** Whether the body contained it. */
  readonly keyInBody: boolean
}

/** The parts of an entry that cost nothing to compute. */
export type RequestSummary = Pick<JournalEntry, 'method' | 'operation' | 'status' | 'fault' | 'durationMs'>

/** An entry with both lists. Lists are immutable. */
export interface RecordedRequest {
  readonly entry: JournalEntry
  readonly before: RuleList
  readonly after: RuleList
}
