import { createServer } from 'node:net'
import getPort from 'get-port'
import type { ServerSettings } from './driver.ts'

/** The port of a plugin without the parameter API_Port (clause 8). */
const defaultPort = 8443

/** The port that a server will listen on at 127.0.0.1, or `port-taken`. */
export async function choosePort(settings: ServerSettings): Promise<number | 'port-taken'> {
  if (!settings.defaultPort) return getPort({ host: '127.0.0.1' })
  return (await isFree(defaultPort)) ? defaultPort : 'port-taken'
}

/** The parameters of a server, with `API_Port` unless the server must know its port itself. */
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
