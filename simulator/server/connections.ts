import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

export type Connections = ReturnType<typeof trackConnections>

/** The open connections of `server`, and their responses. Must be called before the first connection. */
export function trackConnections(server: Server) {
  const open = new Map<Duplex, ServerResponse | undefined>()
  let closing = false
  /** The client must not send another request to a server that is about to stop. */
  const endAfter = (socket: Duplex, response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close')
    response.once('close', () => {
      if (open.get(socket) === response) socket.end()
    })
  }
  server.on('connection', (socket: Duplex) => {
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!open.has(request.socket)) return
    open.set(request.socket, response)
    if (closing) endAfter(request.socket, response)
  })
  return {
    /** The response to the last request of the connection, sent or not; undefined if there was none. */
    lastResponse: (socket: Duplex): ServerResponse | undefined => open.get(socket),
    /** Closes every connection as soon as its requests have their responses. */
    closeWhenIdle: () => {
      closing = true
      for (const [socket, last] of open) {
        if (last === undefined || last.closed) socket.destroy()
        else endAfter(socket, last)
      }
    },
    destroyAll: () => {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
