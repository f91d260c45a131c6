import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa, { type Context } from 'koa'
import { errorToResponse, type HttpApi } from './api.ts'
import { drainBody } from './drain-body.ts'
import { endOfTurn } from './end-of-turn.ts'
import type { HttpResponse } from './response.ts'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Serves a request after the earlier requests on its connection have their responses. A client that sends a POST and,
 * without waiting, a GET must find the new rule in the list (RFC 9112, 9.3.2).
 */
function inOrder(serve: RequestHandler): RequestHandler {
  const last = new WeakMap<object, ServerResponse>()
  return (request, response) => {
    const before = last.get(request.socket)
    last.set(request.socket, response)
    if (before === undefined || before.writableFinished || before.destroyed) serve(request, response)
    else before.once('close', () => serve(request, response))
  }
}

export function createApp(api: HttpApi): RequestHandler {
  const app = new Koa()
  // Without a listener Koa would print errors to the console.
  app.on('error', (error: Error) => api.log({ level: 'warn', event: 'connection-error', reason: error.message }))
  app.use(async (context) => {
    const { req: request } = context
    const startedAt = performance.now()
    const track = api.track?.(request)
    const outcome = await api.respond(request, track).catch((error: unknown) => errorToResponse(error, api))
    if (outcome === undefined) {
      await track?.onEnd()
      context.respond = false
      context.res.destroy()
    } else {
      // Responses sent together wake a waiting client once. Sent one by one, that takes longer than the request.
      await endOfTurn()
      if (!request.complete) await drainBody(request)
      const last = api.finish(outcome, request)
      // A client that has left gets no response.
      if (!request.socket.destroyed) track?.onResponse(last)
      void track?.onEnd()
      render(context, last, api.reasonPhrase?.(last.status))
    }
    const durationMs = Math.round(performance.now() - startedAt)
    const status = outcome?.status ?? 'dropped'
    api.log({ level: 'info', event: 'request', method: context.method, status, durationMs })
  })
  return inOrder(app.callback())
}

/** The statuses of responses without a body (RFC 9110, 15). */
const statusesWithoutBody: readonly number[] = [204, 205, 304]

/**
 * Sends a response with `phrase` as its reason phrase. Node omits the body if the method is HEAD. Koa would look up the
 * type and length of the body again, which takes longer than the rest of the response.
 */
function render(context: Context, { status, body, headers }: HttpResponse, phrase?: string): void {
  context.respond = false
  const { res } = context
  const hasBody = body !== undefined && !statusesWithoutBody.includes(status)
  res.statusCode = status
  if (phrase !== undefined) res.statusMessage = phrase
  if (hasBody) res.setHeader('Content-Length', body.length)
  for (const name in headers) if (hasBody || name !== 'Content-Type') res.setHeader(name, headers[name] ?? '')
  res.end(hasBody ? body : undefined)
}
