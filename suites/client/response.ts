import { STATUS_CODES } from 'node:http'
import type { Exchange } from './exchange.ts'
import { parseJson } from './json.ts'

/** The response to one request. */
export interface HttpResponse {
  readonly status: number
  /** Names in lower case; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  /** The body as UTF-8 text; invalid bytes appear as U+FFFD. */
  readonly text: string
  /** The body as JSON; `undefined` if it is not valid JSON in valid UTF-8. */
  readonly json: unknown
  /** The exchange as it was recorded, for the report. */
  readonly exchange: Exchange
}

/** There was no response to a request: connection refused or closed, timeout, or not HTTP. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly exchange: Exchange

  constructor(message: string, exchange: Exchange, options?: ErrorOptions) {
    super(message, options)
    this.exchange = exchange
  }
}

/** The request cannot be sent, e.g. because a proxy allows no tunnel. */
export class CannotSend extends Error {
  override readonly name = 'CannotSend'
}

/** The reason phrase of a status, if it is not the usual one. */
export function unusualReason(status: number, reason: string | undefined): { readonly reason?: string } {
  return reason === undefined || reason === STATUS_CODES[status] ? {} : { reason }
}

/** A response with its body decoded. */
export function responseOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
  exchange: Exchange,
): HttpResponse {
  return { status, headers, bytes, text: bytes.toString('utf8'), json: parseJson(bytes), exchange }
}
