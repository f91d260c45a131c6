import { EventEmitter, once } from 'node:events'
import { Agent, type AgentOptions, type ClientRequest } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { connect, isIP, type NetConnectOpts, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ExactHttpProxyAgent, TunnelAgent } from './proxied.ts'
import type { Transport } from './transport.ts'

export type Agents = ReturnType<typeof createAgents>

/**
 * How long a connection to one address of a host may take before the next is tried. Node.js gives up after 250 ms, which
 * a distant server exceeds. Much more would delay each request where a host has a first address that nothing reaches.
 */
const attemptLimit = { autoSelectFamilyAttemptTimeout: 1_000 }

/** The connection pools of a client for a base URL. A proxy gets absolute URLs for http, and a tunnel for https. */
export function createAgents(baseUrl: string, transport: Transport) {
  const shared = createAgent(baseUrl, transport, { keepAlive: true })
  return {
    shared,
    /** Opens one connection for each request. */
    own: createAgent(baseUrl, transport, { keepAlive: false }),
    closeIdle(kept = 0) {
      const idle = Object.values(shared.freeSockets).flat()
      for (const socket of idle.slice(0, idle.length - kept)) socket?.destroy()
    },
  }
}

function createAgent(baseUrl: string, { proxy }: Transport, keeping: AgentOptions): Agent {
  const secure = isSecure(baseUrl)
  const options = { ...attemptLimit, ...keeping }
  if (proxy !== null) return secure ? new TunnelAgent(proxy, options) : new ExactHttpProxyAgent(proxy, options)
  return secure ? new TlsAgent(options) : new Agent(options)
}

export function isSecure(url: string): boolean {
  return url.startsWith('https:')
}

/** Opens a new connection to the origin of a URL. Rejects with `ProxyFailed` if a proxy rejects the tunnel. */
export async function openSocket(url: string, transport: Transport, signal: AbortSignal): Promise<Socket> {
  const secureEndpoint = isSecure(url)
  const { host, port } = endpointOf(url)
  const named = isIP(host) === 0 ? { servername: host } : {}
  const secured = secureEndpoint ? { ...tlsOptions(transport), ...named } : {}
  const options = { ...attemptLimit, host, port, ...secured }
  const event = secureEndpoint ? 'secureConnect' : 'connect'
  if (transport.proxy === null) return opened(secureEndpoint ? connectTls(options) : connect(options), event, signal)
  // The agent needs a request only to tell it about the connection.
  const request = new EventEmitter() as ClientRequest
  const socket = await new TunnelAgent(transport.proxy, { ...attemptLimit, signal }).connect(request, {
    ...options,
    secureEndpoint,
  })
  request.emit('socket', socket)
  return secureEndpoint ? opened(socket, event, signal) : socket
}

/** The host and port of a URL. An IPv6 address is without its brackets. */
export function endpointOf(url: string) {
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

/** Which certificates are accepted. */
export function tlsOptions({ ca, insecure }: Transport) {
  return { ...(ca !== null && { ca }), ...(insecure && { rejectUnauthorized: false }) }
}

/** Why nothing accepts a connection there, as a code of Node.js if there is one; null if it is accepted. */
export async function connectionFailure(address: NetConnectOpts, timeoutMs: number): Promise<string | null> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const socket = await opened(connect({ ...attemptLimit, ...address }), 'connect', signal)
    socket.destroy()
    return null
  } catch (error) {
    if (signal.aborted) return `no response within ${timeoutMs} ms`
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** Resolves on the event. Rejects with the error of the socket or the reason of the signal. */
async function opened<Kind extends Socket>(socket: Kind, event: string, signal: AbortSignal): Promise<Kind> {
  try {
    await once(socket, event, { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw signal.aborted ? signal.reason : error
  }
}
