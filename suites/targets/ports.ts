import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { waitUntil } from '../client/wait.ts'
import { PortTaken, type ServerSettings } from './driver.ts'
import { foreignListener, isReachable, listenersInNetworkOf, portsOfEndedConnections } from './listeners.ts'

/** The port of a plugin without the parameter API_Port (clause 8). */
const defaultPort = 8443

/** The port that a server will listen on at 127.0.0.1. @throws {PortTaken} if that is its default one, and in use */
export async function choosePort(settings: ServerSettings): Promise<number> {
  if (settings.port === 'high') return nextHighPort()
  if (settings.port !== 'default') return nextPort()
  // Another kit keeps it for as long as a start may take, and perhaps tries again.
  if (await awaitPort(defaultPort, { kit: 70_000, program: 1_000 })) return defaultPort
  throw portTaken(defaultPort, null)
}

/** Claims a port. False if another kit, or any other program, still uses it after so many milliseconds. */
export async function awaitPort(
  port: number,
  { kit, program }: { readonly kit: number; readonly program: number },
): Promise<boolean> {
  if (!(await waitUntil(() => claimPort(port), { timeoutMs: kit, intervalMs: 10 }))) return false
  if (await waitUntil(() => isFree(port), { timeoutMs: program, intervalMs: 50 })) return true
  releasePort(port)
  return false
}

/** A port below those of outgoing connections: it must still be free when the server starts, perhaps again. */
export const nextPort = portsFrom(10_000, 30_000)

/** A port that needs all 16 bits of a number, above those of outgoing connections on Linux. */
const nextHighPort = portsFrom(61_000, 65_000)

/** Finds free ports in a range, one after the other, and claims them. */
export function portsFrom(lowest: number, highest: number, after = randomInt(lowest, highest)) {
  let last = after
  // Read once, since it takes milliseconds. Other kits seldom use the next ports here meanwhile.
  let held: ReadonlySet<number> | undefined
  return async (): Promise<number> => {
    held ??= portsOfEndedConnections()
    for (;;) {
      last = last < highest ? last + 1 : lowest
      const port = last
      if ((await isFree(port)) && !held.has(port) && (await claimPort(port))) return port
    }
  }
}

/**
 * Waits until nothing listens on a port, since a server that has just ended may take a moment. Throws `PortTaken`. Closed
 * connections can hold a port without a listener (TIME_WAIT): whether a server can listen meanwhile is up to it.
 */
export async function requireFree(port: number): Promise<void> {
  if (await waitUntil(() => isFree(port), { timeoutMs: 1_000, intervalMs: 20 })) return
  const listeners = listenersInNetworkOf(process.pid)
  if (listeners?.some((one) => one.port === port && isReachable(one)) === false) return
  throw portTaken(port, foreignListener(port, null))
}

/** Waits until no ended connections hold the port, which takes a minute on Linux. False if there were none. */
export async function awaitEndedConnections(port: number): Promise<boolean> {
  const isHeld = () => portsOfEndedConnections().has(port)
  return isHeld() && (await waitUntil(() => !isHeld(), { timeoutMs: 90_000, intervalMs: 500 }))
}

export function portTaken(port: number, by: ReturnType<typeof foreignListener>): PortTaken {
  const name = by === null ? '' : ` (process ${by.pid}, ${by.name})`
  return new PortTaken(`port ${port} is used by another program${name}`)
}

/** The parameters of a server, with `API_Port` unless the server must use its default. */
export function withPort(settings: ServerSettings, port: number): Readonly<Record<string, string>> {
  return settings.port === 'default' ? settings.parameters : { API_Port: String(port), ...settings.parameters }
}

/** The variable that gives a server its port; empty if only the parameters decide. */
export function portVariable({ port: source }: ServerSettings, port: number): Readonly<Record<string, string>> {
  return source === 'given' || source === 'high' ? { TCK_PORT: String(port) } : {}
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

const claims = new Map<number, Socket>()

/** UDP port 8443 is also that of HTTP/3, and there is only one default port. No port that is chosen has this number. */
const claimOfDefaultPort = 30_443

/**
 * Reserves a port among all kits on this machine; false if another kit has it. The claim is the UDP port of that number,
 * because the system grants it once and releases it when the kit ends, however it ends.
 */
export async function claimPort(port: number): Promise<boolean> {
  const claim = createSocket('udp4').unref()
  try {
    const number = port === defaultPort ? claimOfDefaultPort : port
    claim.bind({ port: number, address: '127.0.0.1', exclusive: true })
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
