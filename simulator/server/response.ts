import { STATUS_CODES } from 'node:http'

/** A response before it is sent. */
export interface HttpResponse {
  readonly status: number
  /** The encoded body; undefined if the response has none. */
  readonly body: Uint8Array | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** A value that can be written as JSON. A bigint is written with all its digits. */
export type Json = string | number | bigint | boolean | null | readonly Json[] | { readonly [member: string]: Json }

/** The head of a response that is written directly to the socket, with the final empty line. */
export function responseHead(
  status: number,
  fields: Readonly<Record<string, string | number>>,
  phrase: string = STATUS_CODES[status] ?? 'Unknown',
): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n`
}

/** The part of a request that is wrong. The profile says which of these may be disclosed without authentication. */
export type RequestPart = 'path' | 'method' | 'body'

/** The response to a rejected request. The message is sent to the client. */
export class ErrorResponse extends Error {
  override readonly name = 'ErrorResponse'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    // The stack is never read, and capturing one costs more than the rest of the request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.headers = headers
  }
}

/** The request gets no response: the connection is closed. */
export class Dropped extends Error {
  override readonly name = 'Dropped'
}

/** Replaces the name of each value in braces, such as `{field}`, with the value. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  // A replacement string would interpret `$&` and the like.
  return Object.entries(values).reduce((filled, [name, value]) => filled.replaceAll(`{${name}}`, () => value), text)
}

/** How a request is rejected. */
export type Rejection = ErrorResponse | Dropped
