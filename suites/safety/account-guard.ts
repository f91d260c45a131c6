import type { Client, Request } from '../client/client.ts'
import type { RawClient } from '../client/raw.ts'
import { createPath } from '../session/platform.ts'
import type { AccountEntry } from './account-ledger.ts'
import type { Ledger } from './ledger.ts'

export interface AccountGuardOptions {
  readonly client: Client
  /** The only group in which an account may be created; null for none. */
  readonly group: string | null
  /** What its name must begin with, so that people know whose it is. */
  readonly label: string
  /** Null where nothing may be written at all. */
  readonly ledger: Ledger<AccountEntry> | null
  /** The most requests that may create an account. */
  readonly mostAccounts: number
}

/** The run would have sent a request that it did not announce; the request never left. */
export class UnannouncedRequest extends Error {
  override readonly name = 'UnannouncedRequest'
}

/**
 * A client for a platform of somebody else, where an account that was created stays for ever. Reads
 * pass. Nothing else does but a POST that asks for an account in the given group, as long as no more
 * of them leave than was announced: whether such a server refuses an odd one is anybody's guess, so
 * each counts. It is in the ledger before it leaves.
 */
export function guardAccounts(options: AccountGuardOptions): Client {
  const { client, ledger, mostAccounts } = options
  let left = mostAccounts

  return async (request) => {
    if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return client(request)
    const { method, path } = request
    if (ledger === null) throw new UnannouncedRequest(`${method} ${path} would write to a platform that is only read`)
    if (method !== 'POST' || path !== createPath) {
      throw new UnannouncedRequest(`${method} ${path} is nothing that may be sent to a platform of somebody else`)
    }
    const name = nameOf(request, options)
    if (name === null) throw new UnannouncedRequest('an account of another group or name might be created')
    left -= 1
    if (left < 0) throw new UnannouncedRequest(`more than the announced ${mostAccounts} accounts might be created`)
    ledger.append({ event: 'create', name })
    const response = await client(request)
    ledger.append({ event: 'answered', status: response.status })
    return response
  }
}

/** The name of the account that a body asks for; null unless it can only mean the given group and a name of the kit. */
function nameOf({ body }: Request, { group, label }: AccountGuardOptions): string | null {
  const text = body?.toString('utf8') ?? ''
  const wanted = parse(text)
  // Of a member that is given twice, some servers take the first and some the last.
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

/** Raw bytes to a platform of somebody else are reads, every one. */
export function guardRawReads(raw: RawClient): RawClient {
  return async (request) => {
    const all: readonly Buffer[] = Buffer.isBuffer(request.bytes) ? [request.bytes] : request.bytes
    const odd = all.find((bytes) => !/^(GET|HEAD|OPTIONS) /.test(bytes.toString('latin1')))
    if (odd !== undefined) throw new UnannouncedRequest('raw bytes that are no read were about to be sent')
    return raw(request)
  }
}
