import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import getPort, { portNumbers } from 'get-port'
import type { ServerSettings } from './driver.ts'
import { claimPort, releasePort } from './port-claims.ts'

/** The port of a plugin without the parameter API_Port (clause 8). */
const defaultPort = 8443

/** The port that a server will listen on at 127.0.0.1, or `port-taken`. */
export async function choosePort(settings: ServerSettings): Promise<number | 'port-taken'> {
  if (!settings.defaultPort) return nextPort()
  if (!claimPort(defaultPort)) return 'port-taken'
  if (await isFree(defaultPort)) return defaultPort
  releasePort(defaultPort)
  return 'port-taken'
}

/**
 * Ports below those of outgoing connections, starting at a random one in each process: a port must
 * still be free when the server starts, perhaps a second time.
 */
const lowest = 10_000
const highest = 30_000
let lastPort = randomInt(lowest, highest)

async function nextPort(): Promise<number> {
  do {
    const from = lastPort > highest ? lowest : lastPort + 1
    lastPort = await getPort({ host: '127.0.0.1', port: portNumbers(from, from + 1_000) })
  } while (!claimPort(lastPort))
  return lastPort
}

/** The parameters of a server, with `API_Port` unless the server must use its default. */
export function withPort(settings: ServerSettings, port: number): Readonly<Record<string, string>> {
  return settings.defaultPort ? settings.parameters : { API_Port: String(port), ...settings.parameters }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
