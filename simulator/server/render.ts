import type { Context } from 'koa'
import type { HttpResponse } from './response.ts'

/** Sends a response, with `phrase` as its reason phrase. Koa omits the body if the method is HEAD. */
export function render(context: Context, { status, body, headers }: HttpResponse, phrase?: string): void {
  context.body = body === undefined ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  // After the body: Koa sets the status of a response without a body to 204.
  context.status = status
  if (phrase !== undefined) context.message = phrase
  context.set({ ...headers })
}

/** Closes the connection without a response. */
export function drop(context: Context): void {
  context.respond = false
  context.res.destroy()
}
