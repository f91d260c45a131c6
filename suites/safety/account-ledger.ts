import { readLines } from './ledger.ts'

/** What a run means to create on the platform of somebody else, written down before it is sent. */
export type AccountEntry =
  | {
      readonly event: 'open'
      readonly schema: 'copytrade-tck/account-ledger@1'
      readonly target: string
      readonly startedAt: string
      readonly group: string
      /** What the names of the accounts begin with. */
      readonly label: string
      readonly mostAccounts: number
    }
  /** A request that may create an account is about to leave. */
  | { readonly event: 'create'; readonly name: string }
  /** It was answered. */
  | { readonly event: 'answered'; readonly status: number }

/** What a run has left on the platform. */
export interface CreatedAccounts {
  readonly group: string
  readonly mostAccounts: number
  /** Names of the accounts whose creation was acknowledged. */
  readonly created: readonly string[]
  /** Names of those of which nobody knows: no answer came, or one that says neither yes nor no. */
  readonly uncertain: readonly string[]
}

/** Reads the last run of an account ledger; null if there is none. */
export function readAccountLedger(file: string): CreatedAccounts | null {
  const entries = readLines(file).flatMap((line): AccountEntry[] => {
    try {
      return [JSON.parse(line) as AccountEntry]
    } catch {
      // A crash tore the last line: what it announced never left.
      return []
    }
  })
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
  /** Null where no answer came. */
  status: number | null
}

/** Requests are sent one after the other, so an answer belongs to the attempt before it. */
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
