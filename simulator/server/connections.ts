import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The last request of a connection, and its response. */
export interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** All open connections of a server, and their requests. */
export interface Connections {
  /** The last request of the connection, finished or not; undefined if there was none. */
  readonly last: (socket: Duplex) => Pending | undefined
  /** Closes every connection as soon as its requests have their responses. */
  readonly closeWhenIdle: () => void
  readonly destroyAll: () => void
}

/** Tracks the connections of `server`. Must be called before the first connection. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, { answering: number; last?: Pending }>()
  let closing = false
  server.on('connection', (socket: Duplex) => {
    open.set(socket, { answering: 0 })
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const state = open.get(request.socket)
    if (state === undefined) return
    state.answering++
    state.last = { request, response }
    // The client must not send another request to a server that is about to stop.
    if (closing) response.setHeader('Connection', 'close')
    response.once('close', () => {
      state.answering--
      if (closing && state.answering === 0) request.socket.end()
    })
  })
  return {
    last: (socket) => open.get(socket)?.last,
    closeWhenIdle: () => {
      closing = true
      for (const [socket, { answering, last }] of open) {
        if (answering === 0) socket.destroy()
        else if (last?.response.headersSent === false) last.response.setHeader('Connection', 'close')
      }
    },
    destroyAll: () => {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
