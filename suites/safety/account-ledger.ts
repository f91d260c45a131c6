import { entriesIn, readLines } from './ledger.ts'

/** What a run is about to create on a foreign platform. Each entry is written before the request is sent. */
export type AccountEntry =
  | {
      readonly event: 'open'
      readonly schema: 'copytrade-tck/account-ledger@1'
      readonly target: string
      readonly startedAt: string
      readonly group: string
      /** Prefix of the account names. */
      readonly label: string
      readonly mostAccounts: number
    }
  /** A request that may create an account is about to be sent. */
  | { readonly event: 'create'; readonly name: string }
  /** Its response arrived. */
  | { readonly event: 'answered'; readonly status: number }

/** The accounts that a run created on the platform. */
export interface CreatedAccounts {
  readonly group: string
  readonly mostAccounts: number
  /** Names of the accounts whose creation was confirmed. */
  readonly created: readonly string[]
  /** Names of the accounts that may exist: there was no response, or an unclear one. */
  readonly uncertain: readonly string[]
}

/** Reads the last run of an account ledger; null if there is none. */
export function readAccountLedger(file: string): CreatedAccounts | null {
  const entries = entriesIn<AccountEntry>(readLines(file))
  const start = entries.findLastIndex(({ event }) => event === 'open')
  const opening = entries[start]
  if (opening?.event !== 'open') return null
  const attempts = attemptsIn(entries.slice(start))
  const { group, mostAccounts } = opening
  return {
    group,
    mostAccounts,
    created: attempts.filter(({ status }) => isSuccess(status)).map(({ name }) => name),
    uncertain: attempts.filter(({ status }) => !isSuccess(status) && !isErrorResponse(status)).map(({ name }) => name),
  }
}

interface Attempt {
  readonly name: string
  /** Null without a response. */
  status: number | null
}

/** Requests are sent one after the other, so a response belongs to the previous attempt. */
function attemptsIn(entries: readonly AccountEntry[]): readonly Attempt[] {
  const attempts: Attempt[] = []
  for (const entry of entries) {
    if (entry.event === 'create') attempts.push({ name: entry.name, status: null })
    const last = attempts.at(-1)
    if (entry.event === 'answered' && last !== undefined) last.status = entry.status
  }
  return attempts
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

function isErrorResponse(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500
}
