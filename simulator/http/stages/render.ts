import type { Context } from 'koa'
import type { Answer } from '../answer.ts'
import { Dropped, Refusal } from '../refusal.ts'
import type { Service } from '../service.ts'

/** Puts an answer on the wire. Koa leaves the body out where the method is HEAD. */
export function render(context: Context, { status, body, headers }: Answer, { seams }: Pick<Service, 'seams'>): void {
  context.status = status
  const phrase = seams.reasonPhrase(status)
  if (phrase !== undefined) context.message = phrase
  context.body = body === undefined ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  context.set({ ...headers })
}

/** Closes the connection without an answer. */
export function drop(context: Context): void {
  context.respond = false
  context.res.destroy()
}

/**
 * The answer to a request that was not served; undefined where it gets none. What nobody foresaw
 * is logged and becomes 500 without a word about its cause (clause 7).
 */
export function failed(error: unknown, { seams, log }: Service): Answer | undefined {
  if (error instanceof Dropped) return undefined
  if (!(error instanceof Refusal)) {
    log({ level: 'error', event: 'unexpected-error', reason: error instanceof Error ? error.stack : String(error) })
  }
  const { status, message, headers } = error instanceof Refusal ? error : seams.unexpected(error)
  return {
    status,
    body: seams.encodeJson(seams.errorBody(message, status)),
    headers: { ...seams.bodyHeaders(), ...headers },
  }
}
