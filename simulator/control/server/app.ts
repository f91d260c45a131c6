import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import Router from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import type { RequestHandler } from '../../server/app.ts'
import type { LogEntry } from '../../server/log.ts'
import { Problem, problemOf, type Route, sendJson } from './route.ts'
import { carriesToken } from './token.ts'
import type { ServedApis } from './view.ts'

interface ControlAppOptions {
  readonly served: ServedApis
  readonly routes: readonly Route[]
  readonly token: string
  readonly log: (entry: LogEntry) => void
}

const headers = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

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
  app.use(withoutToken(served))
  app.use(async ({ req, path }, next) => {
    if (!carriesToken(req.headers.authorization, token)) {
      const hint = 'Send the token that was printed at the start as Authorization: Bearer <token>.'
      throw new Problem(401, 'The control token is missing or wrong.', hint, { 'WWW-Authenticate': 'Bearer' })
    }
    if (served.platform === null && /^\/platform(\/|$)/.test(path)) {
      const hint = 'Start with `--platform-port 0`, or pass `platform` to `serveControl`.'
      throw new Problem(404, 'No platform is served beside this plugin.', hint)
    }
    await next()
  })
  const router = new Router({ strict: true, sensitive: true })
  for (const addTo of routes) addTo(router)
  app.use(router.routes())
  app.use(({ path, method }) => {
    throw unknownRoute(router, path, method)
  })
  return app.callback()
}

const folder = fileURLToPath(new URL('page/', import.meta.url))
/** The file of each path of the live page. They hold no data. */
const pageFiles = new Map(readdirSync(folder).map((name) => [name === 'index.html' ? '/' : `/${name}`, name]))

/** The health check and the static files of the live page need no token. */
function withoutToken({ control }: ServedApis): Middleware {
  return async (context, next) => {
    const isRead = context.method === 'GET' || context.method === 'HEAD'
    const file = pageFiles.get(context.path)
    if (isRead && context.path === '/healthz') sendJson(context, 200, { status: 'ok', running: control.running() })
    else if (isRead && file !== undefined) {
      context.type = extname(file)
      context.body = readFileSync(folder + file, 'utf8')
    } else await next()
  }
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

function fail(context: Context, error: unknown, log: ControlAppOptions['log']): void {
  const problem = problemOf(error)
  if (problem !== undefined) {
    context.set({ ...problem.headers })
    sendJson(context, problem.status, { error: problem.message, hint: problem.hint })
    return
  }
  log({ level: 'error', event: 'control-failed', reason: error instanceof Error ? error.stack : String(error) })
  sendJson(context, 500, { error: 'Internal error of the control server.', hint: 'See the log for details.' })
}
