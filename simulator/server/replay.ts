import type { Server } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import type { UnknownMethodRequest } from './parse-error.ts'

/**
 * Serves a request that the parser rejected because of its method, with another method instead. The parser cannot be
 * reused for this connection, so the server gets a second connection inside the process, whose other end is joined to
 * the same socket and which ends with this request.
 * @returns a function to call with what the client sends later, e.g. the body
 */
export function replay(
  server: Server,
  socket: Duplex,
  request: { method: string; rest: UnknownMethodRequest['rest'] },
): (packet: Buffer) => void {
  const [second, outside] = duplexPair()
  outside.pipe(socket)
  // Destroying one side of a pair does not destroy the other.
  second.once('close', () => {
    if (!second.writableFinished) socket.destroy()
  })
  socket.once('close', () => second.destroy())
  server.emit('connection', second)
  const headEnds = request.rest.indexOf('\n') + 1
  const head = [request.method, request.rest.subarray(0, headEnds), 'Connection: close\r\n']
  outside.write(Buffer.concat([...head.map((part) => Buffer.from(part)), request.rest.subarray(headEnds)]))
  return (packet) => void outside.write(packet)
}
