import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import type { Api } from './api.ts'
import { restOfBody } from './drain-body.ts'
import { failed } from './error-to-response.ts'
import { drop, render } from './render.ts'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The API as a request handler, with or without a port. */
export function createApp(api: Api): RequestHandler {
  const app = new Koa()
  // With a listener of its own Koa prints nothing to the console.
  app.on('error', (error: Error) => api.log({ level: 'warn', event: 'connection-error', reason: error.message }))
  app.use(async (context) => {
    const startedAt = performance.now()
    const outcome = await api.answer(context.req).catch((error: unknown) => failed(error, api))
    if (outcome === undefined) drop(context)
    else {
      await restOfBody(context.req)
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
