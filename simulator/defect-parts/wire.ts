import type { IncomingMessage } from 'node:http'
import type { HttpResponse, Json } from '../server/response.ts'

/** The members of a JSON object. */
export type Members = { readonly [member: string]: Json }

/** The JSON object with some members replaced or added. */
export function withMembers(json: Json, changes: Members): Json {
  return { ...(json as Members), ...changes }
}

/** The JSON object without one member. */
export function withoutMember(json: Json, name: string): Json {
  return Object.fromEntries(Object.entries(json as Members).filter(([member]) => member !== name))
}

/** The response with another body. */
export function withText(response: HttpResponse, text: string, type = 'text/plain'): HttpResponse {
  return { ...response, body: Buffer.from(text), headers: { ...response.headers, 'Content-Type': type } }
}

/** The response with another Content-Type. */
export function withContentType(response: HttpResponse, type: string): HttpResponse {
  return { ...response, headers: { ...response.headers, 'Content-Type': type } }
}

/** The body as a string; empty if there is none. */
export function textOf({ body = new Uint8Array() }: HttpResponse): string {
  return Buffer.from(body).toString()
}

/** Whether the request line starts with `line`, e.g. `GET /api/status`. */
export function asks({ method, url }: IncomingMessage, line: string): boolean {
  return `${method} ${url}`.startsWith(line)
}

/** Changes the responses for which `applies` holds. The override is the same for every API. */
export function changesResponse(
  applies: (status: number, request: IncomingMessage) => boolean,
  change: (response: HttpResponse) => HttpResponse,
) {
  return () => ({
    finish: (response: HttpResponse, request: IncomingMessage) =>
      applies(response.status, request) ? change(response) : response,
  })
}
