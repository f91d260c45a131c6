import { hash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { parse, stringify } from 'lossless-json'
import { redactedStart } from '../../http/redact.ts'
import { exactNumber } from '../client/json.ts'
import { type Draft, type Rule, sameContent } from '../model/rule.ts'
import type { LoginRange } from '../session/logins.ts'
import { missingFrom } from './list-state.ts'

/** What a run does to a foreign list. Each entry is on the disk before its action starts. */
export type LedgerEntry =
  | {
      readonly event: 'open'
      readonly schema: 'copytrade-tck/ledger@1'
      readonly target: string
      readonly startedAt: string
      readonly logins: LoginRange
      /** The certificate authorities of the run, in PEM; absent for those of Node.js. */
      readonly ca?: string
      /** The names of further members of the foreign rules. A rule that is added again lacks them. Default: none. */
      readonly further?: readonly string[]
      /** The list before the run. */
      readonly before: readonly Rule[]
    }
  /** A request that may change the list is about to be sent, or a parameter with rules is about to be set. */
  | {
      readonly event: 'write'
      readonly request: string
      readonly body: string
      /** The logins of the kit in the request: rules with them may result from it. */
      readonly logins: readonly number[]
    }
  /** A rule of the kit is about to be removed. */
  | { readonly event: 'remove'; readonly index: number; readonly rule: Draft }
  /** The list was read after a removal, and other missing rules are in the ledger. */
  | { readonly event: 'confirmed' }
  /** A rule was added with 201, and the list did not show it for several seconds. */
  | { readonly event: 'unlisted' }
  /** A foreign rule disappeared with a DELETE of the kit and is about to be added again. */
  | { readonly event: 'put-back'; readonly rule: Draft }
  /** It is in the list again. */
  | { readonly event: 'is-back'; readonly rule: Draft }
  /** A rule that was added again has another position now. `order` is the list as it would be otherwise. */
  | { readonly event: 'moved'; readonly rule: Rule; readonly order: readonly Rule[] }
  /** The server removed a rule other than the one at the index, so that further removals are unsafe. */
  | { readonly event: 'misled'; readonly reason: string }
  /** Foreign rules that disappeared with a DELETE of the kit. Recorded before any is added again. */
  | { readonly event: 'lost'; readonly rules: readonly Draft[] }
  /**
   * Foreign rules that disappeared with a request of the kit, and that it or another client removed. `unlisted`: the
   * request may have removed one more, which another client had just added and no list shows.
   */
  | { readonly event: 'possibly-lost'; readonly rules: readonly Draft[]; readonly unlisted: boolean }
  /** A request of the kit changed the order of the foreign rules. */
  | { readonly event: 'reordered' }
  /** The life cycle of the server is about to be driven for the first time. */
  | ({ readonly event: 'lend' } & LeaseSettings)
  /** These steps are about to be done; they may remove any of these rules. */
  | {
      readonly event: 'steps'
      readonly steps: readonly string[]
      readonly held: readonly Draft[]
      /** Whether the parameters differ from the original ones from now on. */
      readonly configured: boolean
    }
  /** A hook was started as this process. */
  | { readonly event: 'hook'; readonly step: string; readonly pid: number }
  /** The steps are done; these foreign rules are missing and must be added again. */
  | { readonly event: 'held'; readonly rules: readonly Draft[] }
  /** Another client changed the order of the foreign rules. They are restored in this order. */
  | { readonly event: 'order'; readonly order: readonly Draft[] }
  /** The original parameters and foreign rules are restored. */
  | { readonly event: 'returned' }
  /** The list has no more rules of the kit. `missing`: a clean-up found that it lacks rules from before the run. */
  | { readonly event: 'closed'; readonly missing?: boolean }

/** What is needed to restore a leased server. */
export interface LeaseSettings {
  readonly hooks: Readonly<Record<string, string>>
  /** Whether a person does the steps without a hook. */
  readonly manual: boolean
  /** The original parameters without `API_Key`; null if unknown. */
  readonly parameters: Readonly<Record<string, string>> | null
  readonly order: readonly Draft[]
}

/** A write-ahead file: an entry is on the disk before the action that it announces. */
export interface Ledger<Entry = LedgerEntry> {
  readonly file: string
  append(entry: Entry): void
  close(): void
}

/** Opens the ledger for appending; the folder must exist. */
export function openLedger<Entry = LedgerEntry>(file: string, redact: (text: string) => string): Ledger<Entry> {
  // A crash or a full disk may have left an incomplete last line; the next entry starts a new line.
  let isIncomplete = usable(() => existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8')))
  const descriptor = usable(() => openSync(file, 'a', 0o600))
  return {
    file,
    append(entry) {
      // Only strings are redacted: a login that looks like a key must stay readable.
      const safe = stringify(entry, (name, value) => {
        if (typeof value !== 'string') return value
        return name === 'body' ? redactedStart(value, longestBody, redact).start : redact(value)
      })
      const start = isIncomplete ? '\n' : ''
      isIncomplete = true
      // `writeSync` writes a part of the entry if the disk has no space for all of it, and throws nothing.
      usable(() => {
        writeFileSync(descriptor, `${start}${safe}\n`)
        fsyncSync(descriptor)
      })
      isIncomplete = false
    },
    close: () => closeSync(descriptor),
  }
}

/** Enough to recognise a request. Its logins are recorded separately. */
const longestBody = 2_000

export type RecordedRun = NonNullable<ReturnType<typeof readLedger>>

export type LeasedServer = NonNullable<RecordedRun['leased']>

/**
 * Reads the last run of a ledger; null if there is no file, or no run in it. An incomplete last line is ignored, since
 * its request was never sent.
 */
export function readLedger(file: string) {
  const rest = entriesOfLastRun<LedgerEntry>(file)
  const [opening] = rest
  if (opening?.event !== 'open') return null
  const closing = rest.findLast((entry) => entry.event === 'closed')
  const closed = closing !== undefined
  return {
    opening,
    /** Whether the list was clean at the end. */
    closed,
    /** Whether the clean-up found that rules from before the run are missing. */
    leftMissing: closing?.missing === true,
    /** Whether a clean-up is needed. */
    unfinished: !closed && rest.some(({ event }) => !withoutChanges.includes(event)),
    /** A removal that was never confirmed: the removed rule is unknown. */
    unconfirmed: unconfirmedRemoval(rest),
    /** The logins of the kit in each request that may have changed the list. */
    written: rest.flatMap((entry) => (entry.event === 'write' ? [entry.logins] : [])),
    /**
     * Foreign rules that disappeared with requests of the kit, without those that were seen in the list again: if they
     * are missing later, another client removed them.
     */
    lost: missingFrom(
      rest.flatMap((entry) => (entry.event === 'is-back' ? [entry.rule] : [])),
      rest.flatMap((entry) => (entry.event === 'lost' ? entry.rules : [])),
    ),
    /** Foreign rules that a request of the kit or another client removed. */
    possiblyLost: rest.flatMap((entry) => (entry.event === 'possibly-lost' ? entry.rules : [])),
    /** Whether a request of the kit may have removed a foreign rule that no list shows. */
    possiblyUnlisted: rest.some((entry) => entry.event === 'possibly-lost' && entry.unlisted),
    /** Foreign rules that a removal of the kit hit, and that were added again. */
    restored: rest.flatMap((entry) => (entry.event === 'put-back' ? [entry.rule] : [])),
    /** Rules that have another position since they were added again, each with its former index. */
    moved: rest.filter((entry) => entry.event === 'moved'),
    /** Whether a request of the kit changed the order of the foreign rules. */
    reordered: rest.some(({ event }) => event === 'reordered'),
    /** Whether the list may not show rules of the kit yet. */
    mayHideRules: rest.some(({ event }) => event === 'unlisted'),
    /** Why further removals are unsafe; null if they are safe. */
    removalUnsafeReason: rest.findLast((entry) => entry.event === 'misled')?.reason ?? null,
    /** A leased server that was not restored; null if there is none. */
    leased: leasedServer(rest),
  }
}

function unconfirmedRemoval(entries: readonly LedgerEntry[]) {
  const last = entries.findLastIndex(({ event }) => event === 'remove')
  const removal = entries[last]
  if (removal?.event !== 'remove') return null
  if (entries.slice(last).some(({ event }) => event === 'confirmed')) return null
  const { index, rule } = removal
  const isEqual = (other: Draft) => sameContent(other, rule)
  // Life-cycle steps remove rules that no entry names.
  const since = entries.slice(entries.findLastIndex(({ event }) => event === 'steps') + 1, last)
  // A truncated body adds nothing.
  const bodies = since.flatMap((entry) =>
    entry.event === 'write' && entry.request === 'POST /api/rules' ? [entry.body] : [],
  )
  const added = entriesIn<Draft>(bodies).filter(isEqual)
  const removed = since.filter((entry) => entry.event === 'remove' && isEqual(entry.rule))
  // How many rules with this content the kit had in the list according to the ledger; at least this one.
  const equal = Math.max(added.length - removed.length, 1)
  return { index, rule, equal }
}

/** Entries that announce no change. */
const withoutChanges: readonly LedgerEntry['event'][] = ['open', 'lend']

function leasedServer(entries: readonly LedgerEntry[]) {
  const from = entries.findLastIndex(({ event }) => event === 'returned') + 1
  const lease = entries.find((entry) => entry.event === 'lend')
  const since = entries.slice(from)
  const steps = since.findLast((entry) => entry.event === 'steps')
  if (lease === undefined || steps === undefined) return null
  const removal = since.findLast((entry) => entry.event === 'steps' || entry.event === 'held')
  const { hooks, manual, parameters } = lease
  const { order } = entries.findLast((entry) => entry.event === 'order') ?? lease
  return {
    ...({ hooks, manual, parameters, order } satisfies LeaseSettings),
    /** Foreign rules that may be missing from the list. */
    removed: removal?.event === 'held' ? removal.rules : steps.held,
    configured: since.some((entry) => entry.event === 'steps' && entry.configured),
    /** The last started hook, which may still run. */
    hookPid: since.findLast((entry) => entry.event === 'hook')?.pid ?? null,
  }
}

/** The entries in these lines. A truncated line, or one that is not an entry, is ignored: its request was never sent. */
function entriesIn<Entry>(lines: readonly string[]): readonly Entry[] {
  return lines.flatMap((line): Entry[] => {
    try {
      const entry = parse(line, undefined, exactNumber)
      return typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? [entry as Entry] : []
    } catch {
      return []
    }
  })
}

/** The entries of the last run in a ledger, of which the first is its `open`. */
export function entriesOfLastRun<Entry>(file: string): readonly Entry[] {
  const lines = readLines(file)
  // Entries of earlier runs need not be parsed.
  const start = lines.findLastIndex((line) => line.startsWith('{"event":"open"'))
  return entriesIn(lines.slice(Math.max(start, 0)))
}

/** The lines of a ledger; none if there is no such file. */
function readLines(file: string): readonly string[] {
  try {
    return usable(() => readFileSync(file, 'utf8'))
      .split('\n')
      .filter(Boolean)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** Says in an error of the file system what to do about it. */
function usable<Result>(open: () => Result): Result {
  try {
    return open()
  } catch (error) {
    const { message } = error as Error
    const hint = 'Check its permissions, and its disk. The ledger of a run with `sudo` needs `sudo` again.'
    throw Object.assign(error as Error, { message: `The ledger cannot be used: ${message}.`, hint })
  }
}

/** The file name of the ledger of a target inside the report folder, unique for each target. */
export function ledgerName(target: string, kind: 'ledger' | 'accounts' = 'ledger'): string {
  const readable = target.replace(/^https?:\/\//, '').replace(/[^\w.-]+/g, '-')
  return `${kind}-${readable}-${hash('sha256', target).slice(0, 8)}.jsonl`
}
