import type { Context } from 'koa'
import type { HttpResponse } from './response.ts'

/** The statuses of responses without a body (RFC 9110, 15). */
const statusesWithoutBody: readonly number[] = [204, 205, 304]

/**
 * Sends a response, with `phrase` as its reason phrase. Node omits the body if the method is HEAD. Koa would
 * look up the type and the length of the body once more, which takes longer than the rest of the response.
 */
export function render(context: Context, { status, body, headers }: HttpResponse, phrase?: string): void {
  context.respond = false
  const { res } = context
  const hasBody = body !== undefined && !statusesWithoutBody.includes(status)
  res.statusCode = status
  if (phrase !== undefined) res.statusMessage = phrase
  if (hasBody) res.setHeader('Content-Length', body.length)
  for (const name in headers) if (hasBody || name !== 'Content-Type') res.setHeader(name, headers[name] ?? '')
  res.end(hasBody ? body : undefined)
}

/** Closes the connection without a response. */
export function drop(context: Context): void {
  context.respond = false
  context.res.destroy()
}
