import type { Server } from 'node:http'
import { Duplex } from 'node:stream'
import type { UnknownMethodRequest } from './parse-error.ts'

/**
 * Serves a request that the parser rejected because of its method, with another method instead. The parser cannot be
 * reused for this connection, so the server gets a second connection inside the process that writes to the same socket
 * and ends with this request.
 * @returns a function to call with what the client sends later, e.g. the body
 */
export function replay(
  server: Server,
  socket: Duplex,
  request: { method: string; rest: UnknownMethodRequest['rest'] },
): (packet: Buffer) => void {
  const second = new Duplex({
    read: () => undefined,
    write: (chunk, _encoding, done) => {
      socket.write(chunk, () => done())
    },
    final: (done) => {
      socket.end(done)
    },
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  socket.once('close', () => second.destroy())
  server.emit('connection', second)
  const headEnds = request.rest.indexOf('\n') + 1
  second.push(
    Buffer.concat([
      Buffer.from(request.method),
      request.rest.subarray(0, headEnds),
      Buffer.from('Connection: close\r\n'),
      request.rest.subarray(headEnds),
    ]),
  )
  return (packet) => void second.push(packet)
}
