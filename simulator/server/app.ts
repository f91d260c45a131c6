import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpApi } from './api.ts'
import { drainBody } from './drain-body.ts'
import { endOfTurn } from './end-of-turn.ts'
import { errorToResponse } from './error-to-response.ts'
import type { HttpResponse } from './response.ts'
import { untracked } from './track.ts'

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

/** The API as a request handler, with or without a port. */
export function createApp(api: HttpApi): RequestHandler {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const startedAt = performance.now()
    const track = api.track?.(request) ?? untracked
    const outcome = await api.respond(request, track).catch((error: unknown) => errorToResponse(error, api))
    if (outcome === undefined) {
      await track.onEnd(undefined)
      response.destroy()
    } else {
      // Responses sent together wake a waiting client once. Sent one by one, that takes longer than the request.
      await endOfTurn()
      if (!request.complete) await drainBody(request)
      const last = api.finish(outcome, request)
      void track.onEnd(last)
      send(response, last, api.reasonPhrase?.(last.status))
    }
    const durationMs = Math.round(performance.now() - startedAt)
    const status = outcome?.status ?? 'dropped'
    api.log({ level: 'info', event: 'request', method: request.method, status, durationMs })
  }
  return inOrder((request, response) => {
    serve(request, response).catch((error: Error) => {
      api.log({ level: 'error', event: 'response-failed', reason: error.message })
      sendFailure(response)
    })
  })
}

/** The statuses of responses without a body (RFC 9110, 15). */
const statusesWithoutBody: readonly number[] = [204, 205, 304]

/** Sends a response with `phrase` as its reason phrase. Node omits the body if the method is HEAD. */
function send(to: ServerResponse, { status, body, headers }: HttpResponse, phrase?: string): void {
  const hasBody = body !== undefined && !statusesWithoutBody.includes(status)
  to.statusCode = status
  if (phrase !== undefined) to.statusMessage = phrase
  if (hasBody) to.setHeader('Content-Length', body.length)
  for (const name in headers) if (hasBody || name !== 'Content-Type') to.setHeader(name, headers[name] ?? '')
  to.end(hasBody ? body : undefined)
}

/** Replaces a response that cannot be sent, e.g. because of an invalid status. */
function sendFailure(response: ServerResponse): void {
  if (response.headersSent) return
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  response.writeHead(500, 'Internal Server Error', { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end('Internal Server Error')
}
