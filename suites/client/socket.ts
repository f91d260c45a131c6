import { request } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isSecure } from './agents.ts'
import { ProxyFailed } from './proxied.ts'
import { proxyAuthorization, type Transport } from './transport.ts'

/**
 * Opens a new connection to the origin of a URL, through a tunnel if there is a proxy, with TLS for
 * https. Rejects with `ProxyFailed` if the proxy rejects the tunnel, or with the connection error.
 */
export async function openSocket(url: string, transport: Transport, signal: AbortSignal): Promise<Socket> {
  const address = addressOf(url)
  const plain = transport.proxy === null ? null : await tunnel(transport.proxy, address, signal)
  if (!isSecure(url)) return plain ?? opened(connect(address), 'connect', signal)
  return opened(
    connectTls({ ...address, ...(plain === null ? {} : { socket: plain }), ...tlsOptions(address.host, transport) }),
    'secureConnect',
    signal,
  )
}

export interface SocketAddress {
  /** Name or address; an IPv6 address without its brackets. */
  readonly host: string
  readonly port: number
}

/** The host and port of a URL. */
export function addressOf(url: string): SocketAddress {
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
export function opened<Kind extends Socket>(socket: Kind, event: string, signal: AbortSignal): Promise<Kind> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      socket.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', reject)
    socket.once(event, () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

function tunnel(proxy: string, { host, port }: SocketAddress, signal: AbortSignal): Promise<Socket> {
  const origin = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const connection = (isSecure(proxy) ? tlsRequest : request)(connectOptions(proxy), (response) => {
      response.destroy()
      reject(new ProxyFailed(response.statusCode ?? 0))
    })
    connection.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket)
      socket.destroy()
      reject(new ProxyFailed(statusCode))
    })
    connection.once('error', reject)
    connection.end()

    function connectOptions(to: string) {
      return {
        ...addressOf(to),
        method: 'CONNECT',
        path: origin,
        headers: { Host: origin, ...proxyAuthorization(to) },
        agent: false,
        signal,
      }
    }
  })
}
