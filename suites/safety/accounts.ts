import type { Client, Request } from '../client/client.ts'
import { isObject, parseJson } from '../client/json.ts'
import type { RawClient } from '../client/raw.ts'
import { createPath } from '../session/platform.ts'
import { entriesIn, type Ledger, readLines } from './ledger.ts'
import { createBudget, guardRawWrites, guardWrites, UnannouncedRequest } from './write-guard.ts'

/** What a run does to a foreign platform. Entries are written before the request is sent. */
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

/** The accounts that the last run in a ledger created, by name; null if there is no run. */
export function readAccountLedger(file: string) {
  const entries = entriesIn<AccountEntry>(readLines(file))
  const start = entries.findLastIndex(({ event }) => event === 'open')
  const opening = entries[start]
  if (opening?.event !== 'open') return null
  // Requests are sent one after the other, so a response belongs to the request before it.
  const attempts = entries.slice(start).flatMap((entry, at, all) => {
    const next = all[at + 1]
    return entry.event === 'create' ? [{ name: entry.name, status: next?.event === 'answered' ? next.status : 0 }] : []
  })
  const namesWith = (isWanted: (hundreds: number) => boolean) =>
    attempts.filter(({ status }) => isWanted(Math.floor(status / 100))).map(({ name }) => name)
  const { group, mostAccounts } = opening
  return {
    group,
    mostAccounts,
    /** Their creation was confirmed. */
    created: namesWith((hundreds) => hundreds === 2),
    /** They may exist: there was no response, or an unclear one. */
    uncertain: namesWith((hundreds) => hundreds !== 2 && hundreds !== 4),
  }
}

export interface AccountGuardOptions {
  readonly client: Client
  /** The only group in which accounts may be created; null for none. */
  readonly group: string | null
  /** The required prefix of its name, which shows that it belongs to the kit. */
  readonly label: string
  /** Null if writes are not allowed. */
  readonly ledger: Ledger<AccountEntry> | null
  /** The maximum number of requests that may create an account. */
  readonly mostAccounts: number
}

/**
 * A client for a foreign platform, where accounts cannot be removed. It allows reads, and POST requests for accounts in
 * the given group up to the announced number. Invalid ones count too, since the server may accept them. Each is in the
 * ledger before it is sent.
 */
export function guardAccounts(options: AccountGuardOptions): Client {
  const { client, ledger, mostAccounts } = options
  const countAccount = createBudget(mostAccounts, 'accounts')
  return guardWrites({
    client,
    ledger,
    async write(request, open) {
      const { method, path } = request
      if (method !== 'POST' || path !== createPath) {
        throw new UnannouncedRequest(`${method} ${path} must not be sent to a foreign platform`)
      }
      const name = nameOf(request, options)
      if (name === null) {
        throw new UnannouncedRequest('the request might create an account with another group or name')
      }
      countAccount()
      open.append({ event: 'create', name })
      const response = await client(request)
      open.append({ event: 'answered', status: response.status })
      return response
    },
  })
}

/** The account name in a body; null unless the body unambiguously has the given group and a name of the kit. */
function nameOf({ body }: Request, { group, label }: AccountGuardOptions): string | null {
  const text = body?.toString('utf8') ?? ''
  const wanted = body === null ? undefined : parseJson(body)
  // Some servers use the first of repeated members and some the last.
  const isClear = ['"group"', '"name"'].every((member) => text.split(member).length === 2) && !text.includes('\\u00')
  if (group === null || !isClear || !isObject(wanted) || wanted.group !== group) return null
  return typeof wanted.name === 'string' && wanted.name.startsWith(label) ? wanted.name : null
}

/** Allows only raw bytes that are reads. */
export function guardRawReads(raw: RawClient): RawClient {
  return guardRawWrites(raw, () => {
    throw new UnannouncedRequest('raw bytes that are not a read must not be sent to a foreign platform')
  })
}
