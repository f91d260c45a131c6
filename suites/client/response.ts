import { STATUS_CODES } from 'node:http'
import type { ReceivedResponse } from '../../http/response-reader.ts'
import type { Exchange } from './exchange.ts'
import { isOfClosedConnection } from './failure-reason.ts'
import { isTooDeep, maxLevels, parseJson } from './json.ts'
import type { beginExchange } from './recorder.ts'

export interface Body {
  readonly bytes: Buffer
  /** The body as UTF-8 text; invalid bytes appear as U+FFFD. */
  readonly text: string
  /** The body as JSON; `undefined` if it is not valid JSON in valid UTF-8, or was not parsed. */
  readonly json: unknown
  /** Why the body was not parsed, if it exceeds a limit of the kit. */
  readonly unreadReason: string | null
}

export interface HttpResponse extends Body {
  readonly status: number
  /** The reason phrase, as received. */
  readonly reason: string
  /** Names in lower case; repeated headers are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly exchange: Exchange
}

/** There was no response to a request: connection refused or closed, timeout, or not HTTP. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  readonly exchange: Exchange
  /** Such requests have hung before, while others got responses, so it was not a random delay. */
  readonly isKnownHang: boolean

  constructor(message: string, exchange: Exchange, options: ErrorOptions & { readonly isKnownHang?: boolean } = {}) {
    super(message, options)
    this.exchange = exchange
    this.isKnownHang = options.isKnownHang ?? false
  }
}

/** The response, or the error if there was none. */
export function orNoResponse<Response>(sent: Promise<Response>): Promise<Response | NoResponse> {
  return sent.catch((error: unknown) => {
    if (error instanceof NoResponse) return error
    throw error
  })
}

/** The same; null if there was none, and this is a possible reason. Default: any. */
export async function orNull<Response>(
  sent: Promise<Response>,
  isPossible: (reason: NoResponse) => boolean = () => true,
): Promise<Response | null> {
  const response = await orNoResponse(sent)
  if (!(response instanceof NoResponse)) return response
  if (isPossible(response)) return null
  throw response
}

/** The response to one of several simultaneous requests; null if its connection was closed, as by a limit of connections. */
export function orClosed(sent: Promise<HttpResponse>): Promise<HttpResponse | null> {
  return orNull(sent, ({ cause }) => isOfClosedConnection(cause))
}

/** The same; null also for 503, with which a server may limit requests. */
export async function orRejected(sent: Promise<HttpResponse>): Promise<HttpResponse | null> {
  const response = await orClosed(sent)
  return response?.status === 503 ? null : response
}

export function isSuccess({ status }: { readonly status: number | null }): boolean {
  return status !== null && status >= 200 && status < 300
}

/** The request cannot be sent, e.g. because a proxy allows no tunnel. */
export class CannotSend extends Error {
  override readonly name = 'CannotSend'
}

/** The maximum size of a body: enough for 100,000 rules. A longer body is truncated, and is not valid JSON. */
export const longestBody = 2 ** 24

/** Shorter bodies are faster to decode than to compare. */
const minComparedBytes = 4_096

/** The last long body. A long list is read repeatedly and has rarely changed. */
let last: Body | null = null

/** Decodes a body. Consecutive equal long bodies share one value. */
export function decodeBody(bytes: Buffer): Body {
  if (last?.bytes.equals(bytes)) return last
  const text = bytes.toString('utf8')
  const isTooLong = bytes.length > longestBody
  const value = isTooLong ? undefined : parseJson(bytes, text)
  const tooDeep = isTooDeep(value) ? `JSON with more than ${maxLevels} levels` : null
  const unreadReason = isTooLong ? `a body of more than ${longestBody / 2 ** 20} MiB` : tooDeep
  const body = { bytes, text, json: unreadReason === null ? value : undefined, unreadReason }
  if (bytes.length >= minComparedBytes) last = body
  return body
}

/** Decodes a received response, and records it as the end of its exchange. */
export function recordResponse(received: Received, record: ReturnType<typeof beginExchange>): HttpResponse {
  const { status, reason, headers, body: bytes } = received
  const body = decodeBody(bytes)
  const exchange = record(evidenceOf(received, body.text), null)
  return { status, reason, headers: joinHeaders(headers), ...body, exchange }
}

/** A response before its body is decoded. */
export type Received = Omit<ReceivedResponse, 'closes'>

export function evidenceOf({ status, reason, headers, body }: Received, text = body.toString('utf8')) {
  const unusual = reason === STATUS_CODES[status] ? {} : { reason }
  return { status, ...unusual, headers, body: text }
}

function joinHeaders(headers: ReceivedResponse['headers']): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    joined[key] = Object.hasOwn(joined, key) ? `${joined[key]}, ${value}` : value
  }
  return joined
}
