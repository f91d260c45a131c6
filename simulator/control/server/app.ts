import Koa, { type Context } from 'koa'
import { parse } from 'lossless-json'
import type { z } from 'zod'
import type { RequestHandler } from '../../server/app.ts'
import { exactNumber, writeJson } from '../../server/json.ts'
import type { LogEntry } from '../../server/log.ts'
import { readUpTo } from '../../server/request-body.ts'
import type { Json } from '../../server/response.ts'
import { asset } from './assets.ts'
import { bodyOf, Problem, problemOf } from './problem.ts'
import { namesIn, type Reply, type Route, type ServedApis } from './route.ts'
import { carriesToken } from './token.ts'

/** What the control server needs to answer. */
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

/** The control plane as a request handler. */
export function createControlApp(options: ControlAppOptions): RequestHandler {
  const { log } = options
  const app = new Koa()
  app.on('error', (error: Error) => log({ level: 'warn', event: 'control-connection-error', reason: error.message }))
  app.use(async (context) => {
    context.set(headers)
    try {
      reply(context, await response(context, options), log)
    } catch (error) {
      fail(context, error, log)
    }
  })
  const handle = app.callback()
  return (request, response) => {
    void handle(request, response)
  }
}

async function response(context: Context, { served, routes, token }: ControlAppOptions): Promise<Reply> {
  const { method, path, req } = context
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && path === '/healthz') return { json: { status: 'ok', running: served.control.running() } }
  const page = isRead ? asset(path) : undefined
  if (page !== undefined) return page
  if (!carriesToken(req.headers.authorization, token)) throw unauthorized()
  if (served.platform === null && /^\/platform(\/|$)/.test(path)) throw withoutPlatform()
  const { route, names } = find(routes, method === 'HEAD' ? 'GET' : method, path)
  const input = check(route.input, route.method === 'GET' ? { ...context.query } : await bodyIn(context))
  const gone = new AbortController()
  context.res.once('close', () => gone.abort())
  return route.run({ ...served, names, input, clientClosed: gone.signal })
}

function unauthorized(): Problem {
  const hint = 'Send the token that was printed at the start as Authorization: Bearer <token>.'
  return new Problem(401, 'The control token is missing or wrong.', hint, { 'WWW-Authenticate': 'Bearer' })
}

function withoutPlatform(): Problem {
  const hint = 'Start with --platform-port 0, or hand serveControl the platform that it is to serve.'
  return new Problem(404, 'No platform is served beside this plugin.', hint)
}

function find(routes: readonly Route[], method: string, path: string) {
  const fitting = routes.flatMap((route) => {
    const names = namesIn(path, route.path)
    return names === null ? [] : [{ route, names }]
  })
  if (fitting.length === 0) {
    const paths = new Set(routes.map((one) => one.path))
    throw new Problem(404, `There is no ${path} here.`, `There are: ${[...paths].join(', ')}.`)
  }
  const found = fitting.find(({ route }) => route.method === method)
  if (found !== undefined) return found
  const allowed = fitting.map(({ route }) => route.method).join(', ')
  throw new Problem(405, `${path} knows no ${method}.`, `It knows: ${allowed}.`, { Allow: allowed })
}

async function bodyIn({ req }: Context): Promise<unknown> {
  const read = await readUpTo(req, bodyLimitBytes)
  if (read === undefined) throw new Problem(413, 'The body is too long.', `Send at most ${bodyLimitBytes} bytes.`)
  const text = Buffer.concat(read.chunks).toString()
  if (text.trim() === '') return {}
  try {
    return parse(text, null, { parseNumber: exactNumber })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Problem(400, `The body is no JSON: ${reason}`, 'Send one JSON object.')
  }
}

function check(schema: z.ZodType, input: unknown): unknown {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issues = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  )
  throw new Problem(400, issues.join('; '), 'See the table of endpoints in the README.')
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
    json(context, problem.status, bodyOf(problem))
    return
  }
  log({ level: 'error', event: 'control-failed', reason: reasonOf(error) })
  json(context, 500, { error: 'This is an error of the kit.', hint: 'The log has the details.' })
}

function reasonOf(error: unknown): string | undefined {
  return error instanceof Error ? error.stack : String(error)
}
