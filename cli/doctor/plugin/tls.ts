import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { PluginLook } from './context.ts'

/** A TLS server answers a handshake at once; a silent server does not speak TLS. */
const patienceMs = 3_000

/** Whether a server speaks TLS. Begins a handshake and sends no request. */
export function speaksTls({ host, port, timeoutMs }: PluginLook): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      // Whose certificate it is does not matter here: no secret is sent.
      rejectUnauthorized: false,
      ...(isIP(host) === 0 ? { servername: host } : {}),
    })
    const finish = (answer: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => finish(false), Math.min(timeoutMs, patienceMs))
    socket.once('secureConnect', () => finish(true))
    // Only a TLS server refuses a handshake with an alert.
    socket.once('error', (error) => finish(/ALERT/.test((error as NodeJS.ErrnoException).code ?? '')))
  })
}
