import Router, { type RouterContext } from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { parse } from 'lossless-json'
import type { z } from 'zod'
import type { RequestHandler } from '../../server/app.ts'
import { exactNumber, writeJson } from '../../server/json.ts'
import type { LogEntry } from '../../server/log.ts'
import { readUpTo } from '../../server/request-body.ts'
import type { Json } from '../../server/response.ts'
import { describeIssues, nearestMember } from '../describe-issues.ts'
import { asset } from './assets.ts'
import { Problem, problemOf } from './problem.ts'
import type { Reply, Route, ServedApis } from './route.ts'
import { carriesToken } from './token.ts'

export interface ControlAppOptions {
  readonly served: ServedApis
  readonly routes: readonly Route[]
  readonly token: string
  readonly log: (entry: LogEntry) => void
}

const bodyLimitBytes = 16 * 1024 * 1024

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** The control API and the live page as a request handler. */
export function createControlApp({ served, routes, token, log }: ControlAppOptions): RequestHandler {
  const app = new Koa()
  app.on('error', (error: Error) => log({ level: 'warn', event: 'control-connection-error', reason: error.message }))
  app.use(async (context, next) => {
    context.set(headers)
    try {
      await next()
    } catch (error) {
      fail(context, error, log)
    }
  })
  app.use(withoutToken(served, log))
  app.use(async ({ req, path }, next) => {
    if (!carriesToken(req.headers.authorization, token)) throw unauthorized()
    if (served.platform === null && /^\/platform(\/|$)/.test(path)) throw withoutPlatform()
    await next()
  })
  const router = new Router({ strict: true, sensitive: true })
  for (const route of routes) {
    router.register(route.path, [route.method], async (context) =>
      reply(context, await run(route, context, served), log),
    )
  }
  app.use(router.routes())
  app.use(({ path, method }) => {
    throw unknownRoute(router, path, method)
  })
  const handle = app.callback()
  return (request, response) => {
    void handle(request, response)
  }
}

/** The health check and the static files of the live page need no token. */
function withoutToken({ control }: ServedApis, log: ControlAppOptions['log']): Middleware {
  return async (context, next) => {
    const isRead = context.method === 'GET' || context.method === 'HEAD'
    const page = isRead ? asset(context.path) : undefined
    if (isRead && context.path === '/healthz') json(context, 200, { status: 'ok', running: control.running() })
    else if (page !== undefined) reply(context, page, log)
    else await next()
  }
}

async function run(route: Route, context: RouterContext, served: ServedApis): Promise<Reply> {
  const input = check(route.input, route.method === 'GET' ? { ...context.query } : await bodyIn(context))
  const clientClosed = new AbortController()
  context.res.once('close', () => clientClosed.abort())
  return route.run({ ...served, params: context.params, input, clientClosed: clientClosed.signal })
}

function unauthorized(): Problem {
  const hint = 'Send the token that was printed at the start as Authorization: Bearer <token>.'
  return new Problem(401, 'The control token is missing or wrong.', hint, { 'WWW-Authenticate': 'Bearer' })
}

function withoutPlatform(): Problem {
  const hint = 'Start with `--platform-port 0`, or pass `platform` to `serveControl`.'
  return new Problem(404, 'No platform is served beside this plugin.', hint)
}

function unknownRoute(router: Router, path: string, method: string): Problem {
  const allowed = router.match(path, method).path.flatMap(({ methods }) => methods.filter((one) => one !== 'HEAD'))
  if (allowed.length > 0) {
    const allow = allowed.join(', ')
    return new Problem(405, `${method} is not allowed for ${path}.`, `Use ${allow}.`, { Allow: allow })
  }
  const paths = new Set(router.stack.map((layer) => String(layer.path)))
  return new Problem(404, `There is no endpoint ${path}.`, `Use one of: ${[...paths].join(', ')}.`)
}

async function bodyIn({ req }: Context): Promise<unknown> {
  const read = await readUpTo(req, bodyLimitBytes)
  if (read === undefined) throw new Problem(413, 'The body is too large.', `Send at most ${bodyLimitBytes} bytes.`)
  const text = Buffer.concat(read.chunks).toString()
  if (text.trim() === '') return {}
  try {
    return parse(text, null, { parseNumber: exactNumber })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem(400, `The body is not valid JSON: ${reason}`, 'Send one JSON object.')
  }
}

function check(schema: z.ZodType, input: unknown): unknown {
  const result = schema.safeParse(input, { error: nearestMember })
  if (result.success) return result.data
  throw new Problem(
    400,
    describeIssues(result.error.issues),
    'See the endpoints of the control API in the documentation.',
  )
}

function json(context: Context, status: number, value: Json): void {
  context.status = status
  context.type = 'application/json'
  context.body = Buffer.from(writeJson(value))
}

function reply(context: Context, reply: Reply, log: ControlAppOptions['log']): void {
  if ('stream' in reply) {
    context.respond = false
    reply.stream(context.res, (error) => {
      log({ level: 'error', event: 'control-stream-failed', reason: reasonOf(error) })
      context.res.destroy()
    })
  } else if ('text' in reply) {
    context.type = reply.type
    context.body = reply.text
  } else if (reply.json === undefined) context.status = 204
  else json(context, 200, reply.json)
}

function fail(context: Context, error: unknown, log: ControlAppOptions['log']): void {
  const problem = problemOf(error)
  if (problem !== undefined) {
    context.set({ ...problem.headers })
    json(context, problem.status, { error: problem.message, hint: problem.hint })
    return
  }
  log({ level: 'error', event: 'control-failed', reason: reasonOf(error) })
  json(context, 500, { error: 'Internal error of the control server.', hint: 'See the log for details.' })
}

function reasonOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : String(error)
}
