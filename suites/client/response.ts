import { STATUS_CODES } from 'node:http'
import type { Exchange } from './exchange.ts'
import { parseJson } from './json.ts'

/** What a server answered to one request. */
export interface HttpResponse {
  readonly status: number
  /** Names in lower case; a repeated name is joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  /** The body as UTF-8 text; bytes that are no UTF-8 appear as U+FFFD. */
  readonly text: string
  /** The body as JSON; `undefined` if it is no valid JSON in valid UTF-8. */
  readonly json: unknown
  /** The exchange as it was recorded, for the report. */
  readonly exchange: Exchange
}

/** The target gave no answer to a request: refused, cut off, timed out, or not HTTP at all. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly exchange: Exchange

  constructor(message: string, exchange: Exchange, options?: ErrorOptions) {
    super(message, options)
    this.exchange = exchange
  }
}

/** The way to the target cannot carry the request, e.g. because a proxy allows no tunnel. */
export class CannotSend extends Error {
  override readonly name = 'CannotSend'
}

/** The words behind a status, where they are not the usual ones. */
export function unusualReason(status: number, reason: string | undefined): { readonly reason?: string } {
  return reason === undefined || reason === STATUS_CODES[status] ? {} : { reason }
}

/** Puts the parts of an answer together and reads its body. */
export function responseOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  exchange: Exchange,
): HttpResponse {
  return { status, headers, bytes, text: bytes.toString('utf8'), json: parseJson(bytes), exchange }
}
