import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpApi } from './api.ts'
import type { RequestHandler } from './app.ts'
import { answerClientErrors } from './client-errors.ts'
import { trackConnections } from './connections.ts'
import { endOfTurn } from './end-of-turn.ts'

/** The port cannot be opened. */
export class PortUnavailableError extends Error {
  override readonly name = 'PortUnavailableError'
  readonly hint: string

  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(`Cannot listen on ${host}, port ${port}: ${cause.message}`, { cause })
    const isForeign = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'].includes(cause.code ?? '')
    this.hint = isForeign
      ? 'Choose an address of this machine, such as 127.0.0.1.'
      : 'Stop the process that listens on the port, or choose another port. Port 0 finds a free one.'
  }
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** How long a client may take to send a whole request. */
  readonly requestTimeoutMs: number
}

/** How long a close waits for requests in flight. */
const graceMs = 5_000

/** Opens the port. @throws PortUnavailableError */
export async function listen(handle: RequestHandler, api: HttpApi, options: ListenOptions) {
  const server = createServer({
    // Node would respond to a missing Host header without JSON. The stage `receive` responds with JSON.
    requireHostHeader: false,
    requestTimeout: options.requestTimeoutMs,
    headersTimeout: options.requestTimeoutMs,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: Math.min(1_000, options.requestTimeoutMs),
  })
  const connections = trackConnections(server)
  answerClientErrors(server, api, connections)
  if (!api.acceptsConnections) server.prependListener('connection', (socket: Duplex) => socket.destroy())
  serve(server, handle)
  const port = await openPort(server, options)
  return {
    port,
    /** Accepts no new connections; open requests may finish within `graceMs`. */
    close: async () => {
      const closed = closing(server)
      connections.closeWhenIdle()
      const deadline = setTimeout(connections.destroyAll, graceMs)
      await closed
      clearTimeout(deadline)
    },
    destroy: () => {
      const closed = closing(server)
      connections.destroyAll()
      return closed
    },
  }
}

function serve(server: Server, handle: RequestHandler): void {
  server.on('request', handle)
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). Node would respond without JSON.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  )
  // CONNECT is an ordinary method here, but Node passes the socket instead of a response.
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(request.socket)
    response.once('finish', () => socket.end())
    handle(request, response)
  })
}

/** Listens, and returns the port. Throws `PortUnavailableError`. */
export function openPort(server: Server, { host, port }: Pick<ListenOptions, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', (cause) => reject(new PortUnavailableError(host, port, cause)))
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port))
  })
}

/**
 * Resolves when the server has ended all connections, and clients in this process know it: their next request must not
 * use one of them. It accepts no new ones.
 */
export async function closing(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve))
  // The end arrives in one turn, and `fetch` notices it in the next.
  await endOfTurn()
  await endOfTurn()
}
