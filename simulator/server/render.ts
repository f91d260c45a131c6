import type { Context } from 'koa'
import type { Answer } from './answer.ts'

/** Puts an answer on the wire. Koa leaves the body out where the method is HEAD. */
export function render(context: Context, { status, body, headers }: Answer): void {
  context.status = status
  context.body = body === undefined ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  context.set({ ...headers })
}

/** Closes the connection without an answer. */
export function drop(context: Context): void {
  context.respond = false
  context.res.destroy()
}
