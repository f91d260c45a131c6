import type { IncomingMessage } from 'node:http'
import { Dropped, ErrorResponse, type HttpResponse, type Json } from '../server/response.ts'

export type Members = { readonly [member: string]: Json }

/** Members to replace or add; undefined removes a member. */
export type Changes = { readonly [member: string]: Json | undefined }

/** The JSON object with some members replaced, added or left out. */
export function withMembers(json: Json, changes: Changes): Json {
  // Members that are undefined are not written.
  return { ...(json as Members), ...changes } as Json
}

/** The response with another body. */
export function withText(response: HttpResponse, text: string, type = 'text/plain'): HttpResponse {
  return { ...withHeader('Content-Type', type)(response), body: Buffer.from(text) }
}

/** Returns a function that replaces or adds a header of a response. */
export function withHeader(name: string, value: string): (response: HttpResponse) => HttpResponse {
  return (response) => ({ ...response, headers: { ...response.headers, [name]: value } })
}

/** The body as a string; empty if there is none. */
export function textOf({ body = new Uint8Array() }: HttpResponse): string {
  return Buffer.from(body).toString()
}

/** Returns a function that changes the text of a response. */
export function textBecomes(change: (text: string) => string): (response: HttpResponse) => HttpResponse {
  return (response) => ({ ...response, body: Buffer.from(change(textOf(response))) })
}

export function withStatus(status: number): (response: HttpResponse) => HttpResponse {
  return (response) => ({ ...response, status })
}

/** Whether the request line starts with the string `line`, e.g. `GET /api/status`, or matches the expression. */
export function asks({ method, url }: IncomingMessage, line: string | RegExp): boolean {
  const asked = `${method} ${url}`
  return typeof line === 'string' ? asked.startsWith(line) : line.test(asked)
}

/** Selects responses. */
export type Applies = (status: number, request: IncomingMessage) => boolean

/** Selects the responses to requests with this request line. */
export function to(line: string | RegExp): Applies {
  return (_, request) => asks(request, line)
}

/** Selects the responses with this status to requests with this request line. */
export function is(expected: number, line: string | RegExp = ''): Applies {
  return (status, request) => status === expected && asks(request, line)
}

/** Runs last on every response, before it is sent. */
export type Finish = (response: HttpResponse, request: IncomingMessage) => HttpResponse

/** Rejects the request with this status. For hooks, which may throw. */
export function reject(status: number, message: string): never {
  throw new ErrorResponse(status, message)
}

/** Rejects the request as a server does that has failed. For hooks, which may throw. */
export function fail(): never {
  reject(500, 'Internal server error.')
}

/** Closes the connection without a response. For hooks, which may throw. */
export function drop(): never {
  throw new Dropped()
}
