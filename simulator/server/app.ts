import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import type { HttpApi } from './api.ts'
import { drainBody } from './drain-body.ts'
import { errorToResponse } from './error-to-response.ts'
import { drop, render } from './render.ts'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The API as a request handler, with or without a port. */
export function createApp(api: HttpApi): RequestHandler {
  const app = new Koa()
  // Without a listener Koa would print errors to the console.
  app.on('error', (error: Error) => api.log({ level: 'warn', event: 'connection-error', reason: error.message }))
  app.use(async (context) => {
    const startedAt = performance.now()
    const outcome = await api.respond(context.req).catch((error: unknown) => errorToResponse(error, api))
    if (outcome === undefined) drop(context)
    else {
      await drainBody(context.req)
      const last = api.finish(outcome, context.req)
      render(context, last, api.reasonPhrase?.(last.status))
    }
    const durationMs = Math.round(performance.now() - startedAt)
    const status = outcome?.status ?? 'dropped'
    api.log({ level: 'info', event: 'request', method: context.method, status, durationMs })
  })
  const handle = app.callback()
  return (request, response) => {
    void handle(request, response)
  }
}
