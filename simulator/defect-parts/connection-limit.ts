import type { IncomingMessage } from 'node:http'

/** Counts the open connections. Returns whether there are more than `most`. */
export function connectionLimit(most: number): (socket: IncomingMessage['socket']) => boolean {
  const open = new Set<object>()
  return (socket) => {
    if (!open.has(socket)) {
      open.add(socket)
      socket.once('close', () => open.delete(socket))
    }
    return open.size > most
  }
}
