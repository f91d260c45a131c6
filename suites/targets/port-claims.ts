import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

/** The claims of this process. */
const claims = new Map<number, Socket>()

/**
 * Reserves a port among all kits on this machine: until a server listens, another kit would find the
 * same port free. The claim is the UDP port of that number, because the system grants it once and
 * releases it when the kit ends, however it ends. False if another kit has it.
 */
export async function claimPort(port: number): Promise<boolean> {
  const claim = createSocket('udp4').unref()
  try {
    claim.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(claim, 'listening')
  } catch (error) {
    claim.close()
    if (['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
  claims.set(port, claim)
  return true
}

export function releasePort(port: number): void {
  claims.get(port)?.close()
  claims.delete(port)
}
