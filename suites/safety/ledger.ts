import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { parse, stringify } from 'lossless-json'
import { redactedStart } from '../client/redact.ts'
import type { Draft, Rule } from '../model/rule.ts'
import { type LoginRange, loginsIn } from '../session/logins.ts'

/** What a run means to do to the list of somebody else, written down before it is done. */
export type LedgerEntry =
  | {
      readonly event: 'open'
      readonly schema: 'copytrade-tck/ledger@1'
      readonly target: string
      readonly startedAt: string
      readonly logins: LoginRange
      /** The authorities that the run trusted for https, in PEM; left out for those that Node.js trusts. */
      readonly ca?: string
      /** The list as it was found. */
      readonly before: readonly Rule[]
    }
  /** A request that may change the list is about to leave. */
  | {
      readonly event: 'write'
      readonly request: string
      readonly body: string | null
      /** The logins of the kit in it: a rule with them may be what became of it. Left out by earlier kits. */
      readonly logins?: readonly number[]
    }
  /** A rule of the kit is about to be removed. */
  | { readonly event: 'remove'; readonly index: number; readonly rule: Draft }
  /** The list was read after a removal, and nothing but that rule is missing. */
  | { readonly event: 'confirmed' }
  /** A rule of somebody else vanished with a removal of the kit and is about to be put back. */
  | { readonly event: 'put-back'; readonly rule: Draft }
  /** The server removed another rule than the one at the index, and would do so again. */
  | { readonly event: 'misled'; readonly reason: string }
  /** Rules of others that vanished with a removal of the kit, written down before one is put back. */
  | { readonly event: 'lost'; readonly rules: readonly Draft[] }
  /** The life cycle of the server is about to be driven for the first time; this is what stands before. */
  | ({ readonly event: 'lend' } & LeaseTerms)
  /** These steps are about to be done; any of these rules may be missing from the list afterwards. */
  | {
      readonly event: 'steps'
      readonly steps: readonly string[]
      readonly held: readonly Draft[]
      /** Whether the parameters are not those of before from here on. */
      readonly configured: boolean
    }
  /** A hook has begun, as this process. */
  | { readonly event: 'hook'; readonly step: string; readonly pid: number }
  /** The steps are done; of the rules of others these are missing from the list and must come back. */
  | { readonly event: 'held'; readonly rules: readonly Draft[] }
  /** Parameters and rules of others are as before again. */
  | { readonly event: 'returned' }
  /** The list holds no rule of the kit any more. */
  | { readonly event: 'closed' }

/** What it takes to give a server back as it was found. */
export interface LeaseTerms {
  /** Shell commands by the step that they do. */
  readonly hooks: Readonly<Record<string, string>>
  /** Whether a person does what no hook does. */
  readonly manual: boolean
  /** The parameters that stood before, without `API_Key`; null where the kit was not told. */
  readonly parameters: Readonly<Record<string, string>> | null
  /** The rules of others in their order. */
  readonly order: readonly Draft[]
}

/** A write-ahead file: an entry is on the disk before what it announces leaves. */
export interface Ledger<Entry = LedgerEntry> {
  readonly file: string
  append(entry: Entry): void
  close(): void
}

/** Opens the ledger to append to it; the folder must exist. */
export function openLedger<Entry = LedgerEntry>(file: string, redact: (text: string) => string): Ledger<Entry> {
  // What a crash has torn must not take the next entry along.
  const isTorn = existsSync(file) && !/(^|\n)$/.test(readFileSync(file, 'utf8'))
  const descriptor = openSync(file, 'a', 0o600)
  if (isTorn) writeSync(descriptor, '\n')
  return {
    file,
    append(entry) {
      // Texts alone are redacted: a login that looks like a key must be found again.
      const safe = stringify(entry, (name, value) => {
        if (typeof value !== 'string') return value
        return name === 'body' ? redactedStart(value, longestBody, redact).start : redact(value)
      })
      writeSync(descriptor, `${safe}\n`)
      fsyncSync(descriptor)
    },
    close: () => closeSync(descriptor),
  }
}

/** What it takes to know a request again; the logins in it stand beside the body. */
const longestBody = 2_000

/** A ledger as it was read again. */
export interface RecordedRun {
  readonly opening: Extract<LedgerEntry, { event: 'open' }>
  /** Whether the list was found clean at the end. */
  readonly closed: boolean
  /** Whether anything was announced that a clean-up has to undo, and the list was not found clean since. */
  readonly unfinished: boolean
  /** A removal that was announced and never confirmed: what it removed is not known. */
  readonly unconfirmed: Extract<LedgerEntry, { event: 'remove' }> | null
  /** The logins of the kit in each request that may have changed the list. */
  readonly written: readonly (readonly number[])[]
  /** Rules of others that vanished with removals of the kit; one that was put back is in the list again. */
  readonly lost: readonly Draft[]
  /** Rules of others that a removal of the kit hit, and that were added again. */
  readonly restored: readonly Draft[]
  /** Why the server must not be asked to remove anything more; null where it may. */
  readonly removalUnsafeReason: string | null
  /** A server whose life cycle was driven and that was not given back; null if there is nothing to give back. */
  readonly lent: LeasedServer | null
}

/** How far the life cycle of a server had been driven when the ledger ended. */
export interface LeasedServer extends LeaseTerms {
  /** Rules of others that may be missing from the list. */
  readonly held: readonly Draft[]
  readonly configured: boolean
  /** The hook that began last: it may still run. */
  readonly hookPid: number | null
}

/**
 * Reads the last run of a ledger; null if there is no such file, or none that was begun. A last
 * line that a crash has torn is left out: what it announced never left.
 */
export function readLedger(file: string): RecordedRun | null {
  const lines = readLines(file)
  // Earlier runs may have left far more than the last one.
  const last = lines.findLastIndex((line) => line.startsWith('{"event":"open"'))
  const entries = lines.slice(Math.max(last, 0)).flatMap((line): LedgerEntry[] => {
    try {
      return [parse(line, undefined, exactNumber) as LedgerEntry]
    } catch {
      return []
    }
  })
  const start = entries.findLastIndex(({ event }) => event === 'open')
  const opening = entries[start]
  if (opening?.event !== 'open') return null
  const rest = entries.slice(start)
  const lastRemoval = rest.findLastIndex(({ event }) => event === 'remove')
  const removal = rest[lastRemoval]
  const confirmed = rest.slice(lastRemoval).some(({ event }) => event === 'confirmed')
  const closed = rest.some(({ event }) => event === 'closed')
  return {
    opening,
    closed,
    unfinished: !closed && rest.some(({ event }) => !onlyKnown.includes(event)),
    unconfirmed: removal?.event === 'remove' && !confirmed ? removal : null,
    written: rest.flatMap((entry) => (entry.event === 'write' ? [loginsOf(entry, opening)] : [])),
    lost: rest.flatMap((entry) => (entry.event === 'lost' ? entry.rules : [])),
    restored: rest.flatMap((entry) => (entry.event === 'put-back' ? [entry.rule] : [])),
    removalUnsafeReason: rest.findLast((entry) => entry.event === 'misled')?.reason ?? null,
    lent: lentServer(rest),
  }
}

/** Entries that announce nothing yet. */
const onlyKnown: readonly LedgerEntry['event'][] = ['open', 'lend']

/** Earlier kits did not note the logins; then those in the body are all that is known. */
function loginsOf(
  { logins, body }: Extract<LedgerEntry, { event: 'write' }>,
  opening: RecordedRun['opening'],
): readonly number[] {
  return logins ?? loginsIn(body ?? '', opening.logins)
}

function lentServer(entries: readonly LedgerEntry[]): LeasedServer | null {
  const from = entries.findLastIndex(({ event }) => event === 'returned') + 1
  const lend = entries.find((entry) => entry.event === 'lend')
  const since = entries.slice(from)
  const steps = since.findLast((entry) => entry.event === 'steps')
  if (lend === undefined || steps === undefined) return null
  const held = since.findLast((entry) => entry.event === 'steps' || entry.event === 'held')
  const { hooks, manual, parameters, order } = lend
  return {
    hooks,
    manual,
    parameters,
    order,
    held: held?.event === 'held' ? held.rules : steps.held,
    configured: since.some((entry) => entry.event === 'steps' && entry.configured),
    hookPid: since.findLast((entry) => entry.event === 'hook')?.pid ?? null,
  }
}

/** The lines of a ledger; none if there is no such file, or something else in its place. */
export function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

function exactNumber(numeral: string): number | bigint {
  const value = Number(numeral)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(numeral) ? value : BigInt(numeral)
}

/** The name of the ledger of a target inside the report folder: no other target has the same. */
export function ledgerName(target: string): string {
  const hash = createHash('sha256').update(target).digest('hex').slice(0, 8)
  return `ledger-${readable(target)}-${hash}.jsonl`
}

/** The name that earlier versions gave it; that of another target may be the same. */
export function earlierLedgerName(target: string): string {
  return `ledger-${readable(target)}.jsonl`
}

function readable(target: string): string {
  return target.replace(/^https?:\/\//, '').replace(/[^\w.-]+/g, '-')
}
