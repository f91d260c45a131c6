import type { Socket } from 'node:net'
import { openSocket } from '../../client/socket.ts'
import type { Transport } from '../../client/transport.ts'

/** An open connection that a restart of the server must close. */
export type HeldConnection = Awaited<ReturnType<typeof holdConnection>>

const responseTimeoutMs = 1_000

/**
 * Opens a connection, sends one request and keeps it open. A server without persistent connections
 * gives no evidence of a restart; `survived` is then always false.
 */
export async function holdConnection(url: string, key: string, transport: Transport) {
  const { host, pathname } = new URL(url)
  const path = `${pathname.replace(/\/$/, '')}/api/status`
  const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n\r\n`
  const socket = await openSocket(url, transport, AbortSignal.timeout(responseTimeoutMs)).catch(() => null)
  if (socket === null) return { survived: async () => false, release: () => undefined }
  // An error is noticed by the next request.
  socket.on('error', () => undefined)
  const isPersistent = await responds(socket, request)
  return {
    /** Whether it still serves requests, which shows that the server was not restarted. */
    survived: async () => isPersistent && responds(socket, request),
    release: () => void socket.destroy(),
  }
}

function responds(socket: Socket, request: string): Promise<boolean> {
  if (socket.destroyed || socket.readyState === 'readOnly') return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (responded: boolean) => {
      clearTimeout(timer)
      socket.off('data', onData).off('close', onClose).off('end', onClose)
      resolve(responded)
    }
    const onData = (chunk: Buffer) => end(chunk.toString('latin1').startsWith('HTTP/1.1 '))
    const onClose = () => end(false)
    const timer = setTimeout(onClose, responseTimeoutMs)
    socket.on('data', onData).on('close', onClose).on('end', onClose)
    socket.write(request)
  })
}
