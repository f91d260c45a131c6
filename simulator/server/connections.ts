import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The last request of a connection, and its response. */
export interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export type Connections = ReturnType<typeof trackConnections>

/** The open connections of `server`, and their requests. Must be called before the first connection. */
export function trackConnections(server: Server) {
  const open = new Map<Duplex, Pending | undefined>()
  let closing = false
  /** The client must not send another request to a server that is about to stop. */
  const endAfter = (socket: Duplex, { response }: Pending) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
    response.once('close', () => {
      if (open.get(socket)?.response === response) socket.end()
    })
  }
  server.on('connection', (socket: Duplex) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!open.has(request.socket)) return
    const pending = { request, response }
    open.set(request.socket, pending)
    if (closing) endAfter(request.socket, pending)
  })
  return {
    /** The last request of the connection, finished or not; undefined if there was none. */
    last: (socket: Duplex): Pending | undefined => open.get(socket),
    /** Closes every connection as soon as its requests have their responses. */
    closeWhenIdle: () => {
      closing = true
      for (const [socket, last] of open) {
        if (last === undefined || last.response.closed) socket.destroy()
        else endAfter(socket, last)
      }
    },
    destroyAll: () => {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
