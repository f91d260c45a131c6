import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { opened } from '../../../suites/client/socket.ts'
import type { PluginLook } from './context.ts'

/** A TLS server answers a handshake at once; a silent server does not speak TLS. */
const patienceMs = 3_000

/** Whether a server speaks TLS. Begins a handshake and sends no request. */
export async function speaksTls({ host, port, timeoutMs }: PluginLook): Promise<boolean> {
  const socket = connect({
    host,
    port,
    // Whose certificate it is does not matter here: no secret is sent.
    rejectUnauthorized: false,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  })
  try {
    await opened(socket, 'secureConnect', AbortSignal.timeout(Math.min(timeoutMs, patienceMs)))
    return true
  } catch (error) {
    // Only a TLS server refuses a handshake with an alert.
    return /ALERT/.test((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    socket.destroy()
  }
}
