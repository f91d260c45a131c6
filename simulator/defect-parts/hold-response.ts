import type { IncomingMessage } from 'node:http'
import type { Finish } from './wire.ts'

/** Holds back what is written to a connection until `released` settles; forever if it never does. */
export function holdResponse(
  { socket }: Pick<IncomingMessage, 'socket'>,
  released: Promise<unknown> = new Promise(() => undefined),
): void {
  const write = socket.write.bind(socket) as (...sent: readonly unknown[]) => boolean
  socket.write = ((...sent: readonly unknown[]) => {
    void released.then(() => write(...sent))
    return true
  }) as typeof socket.write
}

/** Sends no response, and leaves the connection open. */
export const neverAnswered: Finish = (response, request) => {
  holdResponse(request)
  return response
}
