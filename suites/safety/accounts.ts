import type { Client } from '../client/client.ts'
import { isObject, parseJson } from '../client/json.ts'
import type { RawClient } from '../client/raw.ts'
import { createPath } from '../session/platform.ts'
import { entriesOfLastRun, type Ledger } from './ledger.ts'
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
  const entries = entriesOfLastRun<AccountEntry>(file)
  const [opening] = entries
  if (opening?.event !== 'open') return null
  // Requests are sent one after the other, so a response belongs to the request before it.
  const attempts = entries.flatMap((entry, at, all) => {
    const next = all[at + 1]
    return entry.event === 'create' ? [{ name: entry.name, status: next?.event === 'answered' ? next.status : 0 }] : []
  })
  const namesWith = (isWanted: (hundreds: number) => boolean) =>
    attempts.filter(({ status }) => isWanted(Math.floor(status / 100))).map(({ name }) => name)
  return {
    group: opening.group,
    most: opening.mostAccounts,
    /** Their creation was confirmed. */
    created: namesWith((hundreds) => hundreds === 2),
    /** They may exist: there was no response, or an unclear one. */
    uncertain: namesWith((hundreds) => hundreds !== 2 && hundreds !== 4),
  }
}

export interface AccountGuardOptions {
  readonly client: Client
  readonly raw: RawClient
  /** The part of the path before `/v1`, for raw requests. */
  readonly prefix: string
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
 * Clients for a foreign platform, where accounts cannot be removed. They allow reads, and POST requests for accounts in
 * the given group up to the announced number. Invalid ones count too, since the server may accept them. Each is in the
 * ledger before it is sent.
 */
export function guardAccounts(options: AccountGuardOptions): { readonly client: Client; readonly raw: RawClient } {
  const { client, raw, prefix, ledger, mostAccounts } = options
  const countAccount = createBudget(mostAccounts, 'accounts')
  const create = async <Result>(
    body: Buffer | null,
    send: () => Promise<Result>,
    statusOf: (result: Result) => number | undefined,
  ) => {
    const name = nameOf(body?.toString('utf8') ?? '', options)
    if (name === null) throw new UnannouncedRequest('the request might create an account with another group or name')
    countAccount()
    ledger?.append({ event: 'create', name })
    const result = await send()
    const status = statusOf(result)
    if (status !== undefined) ledger?.append({ event: 'answered', status })
    return result
  }
  return {
    client: guardWrites(client, ledger, async (request) => {
      const { method, path, body } = request
      if (method !== 'POST' || path !== createPath) {
        throw new UnannouncedRequest(`${method} ${path} must not be sent to a foreign platform`)
      }
      const send = () => client(request)
      return create(body, send, ({ status }) => status)
    }),
    raw: guardRawWrites(raw, ledger, (bytes, send) => {
      const body = bodyOfCreation(bytes, `POST ${prefix}${createPath} HTTP/1.1\r\n`)
      if (body === null) {
        throw new UnannouncedRequest(
          'raw bytes that are neither reads nor one creation must not be sent to a foreign platform',
        )
      }
      return create(body, send, ({ responses }) => responses[0]?.status)
    }),
  }
}

/** The body of raw bytes, one per character; null unless they are one complete request with this request line. */
function bodyOfCreation(bytes: string, requestLine: string): Buffer | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (!bytes.startsWith(requestLine) || end < 0) return null
  const head = bytes.slice(0, end)
  const sent = bytes.slice(end + 4)
  const [length, ...others] = [...head.matchAll(/^(?:content-length|transfer-encoding): *(.*)$/gim)]
  const framing = others.length === 0 ? length?.[1]?.trim() : undefined
  const whole = framing === `${sent.length}` ? sent : null
  const body = framing === 'chunked' ? joinChunks(sent) : whole
  return body === null ? null : Buffer.from(body, 'latin1')
}

/** The content of a chunked body; null unless it is complete and nothing follows it. */
function joinChunks(text: string): string | null {
  const [, size = '', rest = ''] = /^([0-9a-f]{1,6})\r\n(.*)$/is.exec(text) ?? []
  const length = Number.parseInt(size, 16)
  if (length === 0) return rest === '\r\n' ? '' : null
  if (Number.isNaN(length) || rest.slice(length, length + 2) !== '\r\n') return null
  const following = joinChunks(rest.slice(length + 2))
  return following === null ? null : rest.slice(0, length) + following
}

/** The account name in a body; null unless the body unambiguously has the given group and a name of the kit. */
function nameOf(text: string, { group, label }: AccountGuardOptions): string | null {
  // A server that accepts a body without its closing brace creates the same account.
  const wanted = parse(text) ?? parse(`${text}}`)
  const unescaped = text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  // Some servers use the first of repeated members and some the last, and some do not read escapes.
  const isClear = ['"group"', '"name"'].every((member) =>
    [text, unescaped].every((spelling) => spelling.split(member).length === 2),
  )
  if (group === null || !isClear || !isObject(wanted) || wanted.group !== group) return null
  return typeof wanted.name === 'string' && wanted.name.startsWith(label) ? wanted.name : null
}

const parse = (text: string) => parseJson(Buffer.from(text))
