import type { IncomingMessage, ServerResponse } from 'node:http'
import Koa from 'koa'
import { answer } from './pipeline.ts'
import { restOfBody } from './rest-of-body.ts'
import type { Service } from './service.ts'
import { drop, failed, render } from './stages/render.ts'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** The plugin API as a request handler, with or without a port. */
export function createApp(service: Service): RequestHandler {
  const app = new Koa()
  // With a listener of its own Koa prints nothing to the console.
  app.on('error', (error: Error) => service.log({ level: 'warn', event: 'connection-error', reason: error.message }))
  app.use(async (context) => {
    const startedAt = performance.now()
    const outcome = await answer(context.req, service).catch((error: unknown) => failed(error, service))
    if (outcome === undefined) drop(context)
    else {
      await restOfBody(context.req)
      render(context, service.seams.finish(outcome, context.req), service)
    }
    const durationMs = Math.round(performance.now() - startedAt)
    const status = outcome?.status ?? 'dropped'
    service.log({ level: 'info', event: 'request', method: context.method, status, durationMs })
  })
  const handle = app.callback()
  return (request, response) => {
    void handle(request, response)
  }
}
