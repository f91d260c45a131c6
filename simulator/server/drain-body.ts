import type { IncomingMessage } from 'node:http'

/** The maximum to read of an unneeded body. */
const maxBytes = 16 * 1024 * 1024

/** A client that stops sending gets its response after this time. */
const maxMs = 1_000

/**
 * Reads and discards the rest of a body before the response is sent. Without this, a response that closes the
 * connection would cut off a client that is still sending, and the client would never see it.
 */
export function drainBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    let lengthBytes = 0
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, maxMs)
    request.on('data', (chunk: Uint8Array) => {
      lengthBytes += chunk.length
      if (lengthBytes > maxBytes) done()
    })
    request.on('end', done)
    request.on('close', done)
  })
}
