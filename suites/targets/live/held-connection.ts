import type { Socket } from 'node:net'
import { openSocket } from '../../client/socket.ts'
import type { Transport } from '../../client/transport.ts'

/** A connection that a restart of the server must cut. */
export interface HeldConnection {
  /** Whether the connection still serves requests, so that the server cannot have been restarted. */
  survived(): Promise<boolean>
  release(): void
}

/** How long an answer over an old connection is waited for. */
const limitMs = 1_000

/**
 * Opens a connection, uses it once and keeps it open. A server that does not keep connections open
 * leaves no trace of whether it was restarted; then nothing is said against it.
 */
export async function holdConnection(url: string, key: string, transport: Transport): Promise<HeldConnection> {
  const { host, pathname } = new URL(url)
  const path = `${pathname.replace(/\/$/, '')}/api/status`
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n\r\n`
  const socket = await openSocket(url, transport, AbortSignal.timeout(limitMs)).catch(() => null)
  if (socket === null) return { survived: async () => false, release: () => undefined }
  // What becomes of it shows in the next request over it.
  socket.on('error', () => undefined)
  const kept = await answers(socket, request)
  return {
    survived: async () => kept && answers(socket, request),
    release: () => socket.destroy(),
  }
}

function answers(socket: Socket, request: string): Promise<boolean> {
  if (socket.destroyed || socket.readyState === 'readOnly') return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (answered: boolean) => {
      clearTimeout(timer)
      socket.off('data', look).off('close', closed).off('end', closed)
      resolve(answered)
    }
    const look = (chunk: Buffer) => end(chunk.toString('latin1').startsWith('HTTP/1.1 '))
    const closed = () => end(false)
    const timer = setTimeout(closed, limitMs)
    socket.on('data', look).on('close', closed).on('end', closed)
    socket.write(request)
  })
}
