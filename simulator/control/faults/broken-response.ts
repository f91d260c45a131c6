import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpResponse } from '../../server/response.ts'
import { responseHead } from '../../server/response-head.ts'

/** A way to spoil an answer on the wire. */
export interface BrokenResponse {
  /** Whether the client can make out the answer all the same. */
  readonly isReadable: boolean
  /** Writes to the bare connection and ends it. */
  readonly send: (socket: Socket, response: HttpResponse) => Promise<void>
}

/** The head promises more than comes. */
export const truncated: BrokenResponse = {
  isReadable: false,
  send: async (socket, { status, headers, body = new Uint8Array() }) => {
    const half = body.subarray(0, Math.floor(body.length / 2))
    const promised = Math.max(body.length, 1)
    socket.end(Buffer.concat([Buffer.from(responseHead(status, { ...headers, 'Content-Length': promised })), half]))
    await closed(socket)
  },
}

/** The second chunk has letters where its length should be. */
export const badChunk: BrokenResponse = {
  isReadable: false,
  send: async (socket, { status, headers, body = new Uint8Array() }) => {
    const first = body.subarray(0, Math.max(1, Math.floor(body.length / 2)))
    const head = responseHead(status, { ...headers, 'Transfer-Encoding': 'chunked' })
    socket.end(
      Buffer.concat([Buffer.from(`${head}${first.length.toString(16)}\r\n`), first, Buffer.from('\r\nzz\r\n')]),
    )
    await closed(socket)
  },
}

/** What was done stays done, and the client is not told. */
export const lostResponse: BrokenResponse = { isReadable: false, send: reset }

/** A whole answer, one byte after the other, as long as the client is there and nobody wants it released. */
export function slow(msPerByte: number, released: AbortSignal): BrokenResponse {
  return {
    isReadable: true,
    send: async (socket, { status, headers, body = new Uint8Array() }) => {
      const head = responseHead(status, { ...headers, 'Content-Length': body.length, 'Connection': 'close' })
      const gone = new AbortController()
      const end = closedOr(released, socket).then(() => gone.abort())
      for (const byte of Buffer.concat([Buffer.from(head), body])) {
        if (socket.destroyed) break
        socket.write(Buffer.of(byte))
        await delay(msPerByte, undefined, { signal: gone.signal }).catch(() => undefined)
      }
      if (!socket.destroyed) socket.end()
      await end
    },
  }
}

/** Nothing that HTTP knows. */
export async function garbage(socket: Socket): Promise<void> {
  socket.end(Buffer.from([0x00, 0xff, 0x15, 0x03, 0x01, 0x0d, 0x0a, 0x0d, 0x0a]))
  await closed(socket)
}

/** A reset where the system offers one: the client sees the connection break, not end. */
export async function reset(socket: Socket): Promise<void> {
  // A request that was handed in may come with something that only resembles a socket.
  if (typeof socket.resetAndDestroy === 'function') socket.resetAndDestroy()
  else socket.destroy()
  await closed(socket)
}

/** Resolves when the connection is closed, whoever closes it. */
async function closed(socket: Socket): Promise<void> {
  // An error comes with an end of its own: it is nothing to fail at.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

/** The same, or closes it on a signal. */
export async function closedOr(signal: AbortSignal, socket: Socket): Promise<void> {
  const close = () => void socket.destroy()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  await closed(socket)
  signal.removeEventListener('abort', close)
}
