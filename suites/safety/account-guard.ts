import type { Client, Request } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import { createPath } from '../session/platform.ts'
import type { AccountEntry } from './account-ledger.ts'
import type { Ledger } from './ledger.ts'

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

/** The run tried to send a request that it had not announced; the request was not sent. */
export class UnannouncedRequest extends Error {
  override readonly name = 'UnannouncedRequest'
}

/**
 * A client for a foreign platform, where accounts cannot be removed. It allows reads, and POST requests
 * for an account in the given group up to the announced number. Each of these counts, because the
 * server may accept an invalid one too. It is in the ledger before it is sent.
 */
export function guardAccounts(options: AccountGuardOptions): Client {
  const { client, ledger, mostAccounts } = options
  let left = mostAccounts

  return async (request) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return client(request)
    const { method, path } = request
    if (ledger === null) throw new UnannouncedRequest(`${method} ${path} would write to a read-only platform`)
    if (method !== 'POST' || path !== createPath) {
      throw new UnannouncedRequest(`${method} ${path} must not be sent to a foreign platform`)
    }
    const name = nameOf(request, options)
    if (name === null) throw new UnannouncedRequest('the request might create an account with another group or name')
    left -= 1
    if (left < 0) throw new UnannouncedRequest(`the run would create more than the announced ${mostAccounts} accounts`)
    ledger.append({ event: 'create', name })
    const response = await client(request)
    ledger.append({ event: 'answered', status: response.status })
    return response
  }
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
  return async (request) => {
    const all: readonly Buffer[] = Buffer.isBuffer(request.bytes) ? [request.bytes] : request.bytes
    const odd = all.find((bytes) => !/^(GET|HEAD|OPTIONS) /.test(bytes.toString('latin1')))
    if (odd !== undefined)
      throw new UnannouncedRequest('raw bytes that are not a read must not be sent to a foreign platform')
    return raw(request)
  }
}
