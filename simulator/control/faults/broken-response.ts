import { addAbortListener } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type HttpResponse, responseHead } from '../../server/response.ts'

/** Writes a response to the socket in a broken form, and closes it. Calls `onComplete` once all of it is written. */
export type SendBroken = (socket: Socket, response: HttpResponse, onComplete: () => void) => Promise<void>

/** The Content-Length is larger than the body. */
export const truncated: SendBroken = async (socket, { status, headers, body = new Uint8Array() }) => {
  const half = body.subarray(0, Math.floor(body.length / 2))
  const promised = Math.max(body.length, 1)
  const head = Buffer.from(responseHead(status, { ...headers, 'Content-Length': promised }))
  await end(socket, Buffer.concat([head, half]))
}

/** The second chunk has an invalid length. */
export const badChunk: SendBroken = async (socket, { status, headers, body = new Uint8Array() }) => {
  const first = body.subarray(0, Math.max(1, Math.floor(body.length / 2)))
  const head = responseHead(status, { ...headers, 'Transfer-Encoding': 'chunked' })
  const chunks = [Buffer.from(`${head}${first.length.toString(16)}\r\n`), first, Buffer.from('\r\nzz\r\n')]
  await end(socket, Buffer.concat(chunks))
}

/** A complete response, byte by byte, until the client leaves or the request is released. HEAD gets no body. */
export function slow(msPerByte: number, released: AbortSignal, isHead: boolean): SendBroken {
  return async (socket, { status, headers, body = new Uint8Array() }, onComplete) => {
    const head = responseHead(status, { ...headers, 'Content-Length': body.length, 'Connection': 'close' })
    const gone = new AbortController()
    const leaving = closedOr(released, socket).then(() => gone.abort())
    for (const [at, byte] of Buffer.concat([Buffer.from(head), ...(isHead ? [] : [body])]).entries()) {
      // Not after the last byte, when a client that has read all of them may leave.
      if (at > 0) await delay(msPerByte, undefined, { signal: gone.signal }).catch(() => undefined)
      if (socket.destroyed) break
      socket.write(Buffer.of(byte))
    }
    if (!socket.destroyed) {
      onComplete()
      await end(socket)
    }
    await leaving
  }
}

/** Bytes that are not HTTP. */
export async function garbage(socket: Socket): Promise<void> {
  await end(socket, Buffer.from([0x00, 0xff, 0x15, 0x03, 0x01, 0x0d, 0x0a, 0x0d, 0x0a]))
}

/** The client sees ECONNRESET instead of a closed connection, if the socket supports that. */
export async function reset(socket: Socket): Promise<void> {
  // An injected request may have a stream instead of a socket.
  if (typeof socket.resetAndDestroy === 'function') socket.resetAndDestroy()
  else socket.destroy()
  await closed(socket)
}

/** Sends the last bytes and closes the connection, since some clients never close it. */
async function end(socket: Socket, bytes = Buffer.alloc(0)): Promise<void> {
  socket.end(bytes, () => socket.destroy())
  await closed(socket)
}

/** Resolves when the connection is closed by either side. */
async function closed(socket: Socket): Promise<void> {
  // A socket with an error is closed as well.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

/** Like `closed`, but destroys the connection when the signal aborts. */
export async function closedOr(signal: AbortSignal, socket: Socket): Promise<void> {
  const listener = addAbortListener(signal, () => socket.destroy())
  await closed(socket)
  listener[Symbol.dispose]()
}
