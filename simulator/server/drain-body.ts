import type { IncomingMessage } from 'node:http'

/** More than this is not read for a client that will be refused anyway. */
const mostBytes = 16 * 1024 * 1024

/** A client that stalls is answered all the same. */
const mostMs = 1_000

/**
 * Lets the rest of a body flow off unread before the answer goes out. Where the answer ends the
 * connection, a client that is still sending would be cut off and never see it.
 */
export function drainBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let lengthBytes = 0
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, mostMs)
    request.on('data', (chunk: Uint8Array) => {
      lengthBytes += chunk.length
      if (lengthBytes > mostBytes) done()
    })
    request.on('end', done)
    request.on('close', done)
  })
}
