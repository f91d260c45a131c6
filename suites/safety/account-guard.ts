import type { Client, Request } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import { createPath } from '../session/platform.ts'
import type { AccountEntry } from './account-ledger.ts'
import type { Ledger } from './ledger.ts'
import { createBudget, guardRawWrites, guardWrites, UnannouncedRequest } from './write-guard.ts'

export interface AccountGuardOptions {
  readonly client: Client
  /** The only group in which an account may be created; null for none. */
  readonly group: string | null
  /** The required prefix of its name, which shows that it belongs to the kit. */
  readonly label: string
  /** Null where writes are not allowed. */
  readonly ledger: Ledger<AccountEntry> | null
  /** The maximum of requests that may create an account. */
  readonly mostAccounts: number
}

/**
 * A client for a foreign platform, where accounts cannot be removed. It allows reads, and POST requests
 * for an account in the given group up to the announced number. Each of these counts, because the
 * server may accept an invalid one too. It is in the ledger before it is sent.
 */
export function guardAccounts(options: AccountGuardOptions): Client {
  const { client, ledger, mostAccounts } = options
  const countAccount = createBudget(mostAccounts, 'accounts')
  return guardWrites({
    client,
    ledger,
    admit(request) {
      const { method, path } = request
      if (method !== 'POST' || path !== createPath) {
        throw new UnannouncedRequest(`${method} ${path} must not be sent to a foreign platform`)
      }
      if (nameOf(request, options) === null) {
        throw new UnannouncedRequest('the request might create an account with another group or name')
      }
      countAccount()
    },
    async send(request, open) {
      open.append({ event: 'create', name: nameOf(request, options) ?? '' })
      const response = await client(request)
      open.append({ event: 'answered', status: response.status })
      return response
    },
    see: () => undefined,
  })
}

/** The account name in a body; null unless the body clearly has the given group and a name of the kit. */
function nameOf({ body }: Request, { group, label }: AccountGuardOptions): string | null {
  const text = body?.toString('utf8') ?? ''
  const wanted = parse(text)
  // Of a repeated member some servers use the first and some the last.
  const isClear = ['"group"', '"name"'].every((member) => text.split(member).length === 2) && !text.includes('\\u00')
  if (group === null || wanted?.group !== group || !isClear) return null
  return typeof wanted.name === 'string' && wanted.name.startsWith(label) ? wanted.name : null
}

function parse(text: string): { readonly group?: unknown; readonly name?: unknown } | null {
  try {
    return JSON.parse(text) as ReturnType<typeof parse>
  } catch {
    return null
  }
}

/** Allows only raw bytes that are reads. */
export function guardRawReads(raw: RawClient): RawClient {
  return guardRawWrites(raw, () => {
    throw new UnannouncedRequest('raw bytes that are not a read must not be sent to a foreign platform')
  })
}
