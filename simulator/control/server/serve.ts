import { createServer } from 'node:http'
import { closing, openPort } from '../../server/listen.ts'
import type { LogEntry } from '../../server/log.ts'
import { createControlApp } from './app.ts'
import { metricsOf } from './metrics.ts'
import { routesOf } from './routes.ts'
import { resolveToken } from './token.ts'
import type { ServedApis } from './view.ts'

export interface ControlServerOptions {
  /** 0 picks a free port. Default: 0. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** The token that clients send as `Authorization: Bearer …`. Default: a random one. */
  readonly token?: string
}

/** A running control server. */
export interface ControlServer extends AsyncDisposable {
  /** E.g. `http://127.0.0.1:1234`. */
  readonly url: string
  readonly port: number
  readonly token: string
  /** The URL of the live page, with the token in the fragment, which browsers do not send. */
  readonly pageUrl: string
  /** Closes all connections at once, including long polls and streams. */
  readonly close: () => Promise<void>
}

/** @throws PortUnavailableError, InvalidOptionError */
export async function serve(
  served: ServedApis,
  { port = 0, host = '127.0.0.1', token: given }: ControlServerOptions,
  log: (entry: LogEntry) => void,
): Promise<ControlServer> {
  const token = resolveToken(given)
  const server = createServer()
  const found = await openPort(server, { host, port })
  const metrics = metricsOf(served)
  const routes = [...routesOf(served, log), metrics.route]
  server.on('request', createControlApp({ served, routes, token, log }))
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${found}`
  const close = () => {
    metrics.end()
    const closed = closing(server)
    server.closeAllConnections()
    return closed
  }
  return {
    url,
    port: found,
    token,
    pageUrl: `${url}/#token=${encodeURIComponent(token)}`,
    close,
    [Symbol.asyncDispose]: close,
  }
}
