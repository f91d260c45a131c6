import { request } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isSecure } from './agents.ts'
import { ProxyFailed } from './proxied.ts'
import { proxyAuthorization, type Transport } from './transport.ts'

/**
 * Opens a connection of its own to the origin of a URL, through a tunnel if there is a proxy, with
 * TLS for https. Rejects with `ProxyFailed` if the proxy digs no tunnel, or with the error of the
 * connection; the caller may give up by the signal.
 */
export async function openSocket(url: string, transport: Transport, signal: AbortSignal): Promise<Socket> {
  const place = placeOf(url)
  const plain = transport.proxy === null ? null : await tunnel(transport.proxy, place, signal)
  if (!isSecure(url)) return plain ?? opened(connect(place), 'connect', signal)
  return opened(
    connectTls({ ...place, ...(plain === null ? {} : { socket: plain }), ...tlsOptions(place.host, transport) }),
    'secureConnect',
    signal,
  )
}

export interface Place {
  /** Name or address, an IPv6 address without its brackets. */
  readonly host: string
  readonly port: number
}

/** Where the server of a URL listens. */
export function placeOf(url: string): Place {
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

function opened<Kind extends Socket>(socket: Kind, event: string, signal: AbortSignal): Promise<Kind> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      socket.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    socket.once('error', reject)
    socket.once(event, () => {
      signal.removeEventListener('abort', giveUp)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

function tunnel(proxy: string, { host, port }: Place, signal: AbortSignal): Promise<Socket> {
  const origin = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const dig = (isSecure(proxy) ? tlsRequest : request)(placeOptions(proxy), (response) => {
      response.destroy()
      reject(new ProxyFailed(response.statusCode ?? 0))
    })
    dig.once('connect', ({ statusCode = 0 }, socket: Socket) => {
      if (statusCode >= 200 && statusCode < 300) return resolve(socket)
      socket.destroy()
      reject(new ProxyFailed(statusCode))
    })
    dig.once('error', reject)
    dig.end()

    function placeOptions(to: string) {
      return {
        ...placeOf(to),
        method: 'CONNECT',
        path: origin,
        headers: { Host: origin, ...proxyAuthorization(to) },
        agent: false,
        signal,
      }
    }
  })
}
