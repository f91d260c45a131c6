import type { Context } from 'koa'
import type { HttpResponse } from './response.ts'

/** Puts an answer on the wire, with `phrase` behind the status in place of the usual words. Koa leaves the body out where the method is HEAD. */
export function render(context: Context, { status, body, headers }: HttpResponse, phrase?: string): void {
  context.body = body === undefined ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  // After the body: Koa turns the status of an answer without one into 204.
  context.status = status
  if (phrase !== undefined) context.message = phrase
  context.set({ ...headers })
}

/** Closes the connection without an answer. */
export function drop(context: Context): void {
  context.respond = false
  context.res.destroy()
}
