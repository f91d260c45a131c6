import { EventEmitter, once } from 'node:events'
import type { ClientRequest } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isSecure } from './agents.ts'
import { TunnelAgent } from './proxied.ts'
import type { Transport } from './transport.ts'

/** Opens a new connection to the origin of a URL. Rejects with `ProxyFailed` if a proxy rejects the tunnel. */
export async function openSocket(url: string, transport: Transport, signal: AbortSignal): Promise<Socket> {
  const secureEndpoint = isSecure(url)
  const { host, port } = addressOf(url)
  const secured = secureEndpoint ? tlsOptions(host, transport) : {}
  const options = { host, port, ...secured }
  const event = secureEndpoint ? 'secureConnect' : 'connect'
  if (transport.proxy === null) return opened(secureEndpoint ? connectTls(options) : connect(options), event, signal)
  // The agent needs a request only to tell it about the connection.
  const request = new EventEmitter() as ClientRequest
  const socket = await new TunnelAgent(transport.proxy, { signal }).connect(request, { ...options, secureEndpoint })
  request.emit('socket', socket)
  return secureEndpoint ? opened(socket, event, signal) : socket
}

/** The host and port of a URL. An IPv6 address is without its brackets. */
export function addressOf(url: string) {
  const { hostname, port, protocol } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

function tlsOptions(host: string, { ca, insecure }: Transport) {
  return {
    ...(ca === null ? {} : { ca }),
    ...(insecure ? { rejectUnauthorized: false } : {}),
    ...(isIP(host) === 0 ? { servername: host } : {}),
  }
}

/** Resolves on the event. Rejects with the error of the socket or the reason of the signal. */
export async function opened<Kind extends Socket>(socket: Kind, event: string, signal: AbortSignal): Promise<Kind> {
  try {
    await once(socket, event, { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw signal.aborted ? signal.reason : error
  }
}
