import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import type { Received } from './response.ts'

/** The proxy rejected a request, or got no response from the target. */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
  readonly status: number

  constructor(status: number) {
    super(`the proxy answered ${status}${meanings[status] ?? ''}`)
    this.status = status
  }
}

/** A reverse proxy responded in place of the server. */
export class ServerDown extends Error {
  override readonly name = 'ServerDown'
  readonly response: Received

  constructor(response: Received) {
    const why = response.status === 503 ? ': the server is down, or requests are limited (try a lower --max-rps)' : ''
    super(`a reverse proxy in front of the server responds with ${response.status}${why}`)
    this.response = response
  }
}

/** Statuses of a gateway that gets no response from the server. The specification has none of them. */
const gatewayStatuses = [502, 503, 504]

/** Whether a reverse proxy sent a response. The errors of the specification are JSON. */
export function isOfReverseProxy({ status, headers }: Pick<Received, 'status' | 'headers'>): boolean {
  return gatewayStatuses.includes(status) && !typeIn(headers).includes('json')
}

function typeIn(headers: Received['headers']): string {
  return headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
}

/** Plain reads get responses that are not of the API: something in front of the server may block this client. */
export class ServerReplaced extends Error {
  override readonly name = 'ServerReplaced'

  constructor(path: string, { status, headers }: Pick<Received, 'status' | 'headers'>) {
    const what = `GET ${path} is answered with ${status} and the media type "${typeIn(headers)}"`
    super(`the server, or something in front of it, no longer serves the API: ${what}`)
  }
}

/** Whether a page, a login or a block may have replaced a response of the API. A limit of the rate of requests does not. */
export function mayReplaceServer({ status, headers }: Pick<Received, 'status' | 'headers'>): boolean {
  if (status === 429 || headers.some(([name]) => name.toLowerCase() === 'retry-after')) return false
  const type = typeIn(headers)
  if (type.includes('html')) return status < 500
  return [301, 302, 303, 307, 308, 401, 403].includes(status) && !type.includes('json')
}

const meanings: Readonly<Record<number, string>> = {
  403: ': the request is not allowed',
  407: ': the user and password are missing or wrong',
  502: ': the target could not be reached',
  503: ': the target could not be reached',
  504: ': the target did not respond in time',
}

/** Whether a proxy uses this status for its own problems. The specification of the plugin uses none of them. */
export function isProxyStatus(status: number): boolean {
  return status === 407 || gatewayStatuses.includes(status)
}

/** Whether a gateway in front of the server may have sent a response with this status, in whatever form. */
export function mayBeOfGateway({ status }: Pick<Received, 'status'>): boolean {
  return gatewayStatuses.includes(status) || status >= 520
}

type Addressed = Parameters<HttpProxyAgent<string>['setRequestProps']>

/** Does not normalise paths, unlike the library, since some checks need unusual ones. */
export class ExactHttpProxyAgent extends HttpProxyAgent<string> {
  override setRequestProps(request: Addressed[0], options: Addressed[1]): void {
    const sent: ClientRequest = request
    const { path } = sent
    sent.path = '/'
    super.setRequestProps(request, options)
    sent.path = sent.path.replace(/\/$/, '') + path
  }
}

type Connected = Parameters<HttpsProxyAgent<string>['connect']>

/** Throws if the proxy opens no tunnel. The library would return its response as if it came from the target. */
export class TunnelAgent extends HttpsProxyAgent<string> {
  override async connect(request: Connected[0], options: Connected[1]): Promise<Socket> {
    let status = 200
    request.once('proxyConnect', ({ statusCode }: { readonly statusCode: number }) => {
      status = statusCode
    })
    const socket = await super.connect(request, options)
    if (status === 200) return socket
    socket.destroy()
    throw new ProxyFailed(status)
  }
}
