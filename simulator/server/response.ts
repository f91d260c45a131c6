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
