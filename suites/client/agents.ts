import type { ClientRequest } from 'node:http'
import { Agent, type AgentOptions } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import type { Transport } from './transport.ts'

export type Agents = ReturnType<typeof createAgents>

/** The connection pools of a client for a base URL. A proxy gets absolute URLs for http, and a tunnel for https. */
export function createAgents(baseUrl: string, transport: Transport) {
  const shared = recordReuse(createAgent(baseUrl, transport, { keepAlive: true }))
  return {
    /** Reuses connections for later requests. */
    shared,
    /** Opens one connection for each request. */
    own: createAgent(baseUrl, transport, { keepAlive: false }),
    /** Closes idle connections, except the `kept` ones that were used last. */
    closeIdle(kept = 0) {
      const idle = Object.values(shared.freeSockets).flat()
      for (const socket of idle.slice(0, idle.length - kept)) socket?.destroy()
    },
  }
}

function createAgent(baseUrl: string, { proxy }: Transport, options: AgentOptions): Agent {
  const secure = isSecure(baseUrl)
  if (proxy !== null) return secure ? new TunnelAgent(proxy, options) : new ExactHttpProxyAgent(proxy, options)
  return secure ? new TlsAgent(options) : new Agent(options)
}

const ofReusedConnections = new WeakSet<Error>()

/** Whether a request failed with this error on a reused connection. */
export function isOfReusedConnection(error: unknown): boolean {
  return error instanceof Error && ofReusedConnections.has(error)
}

function recordReuse(agent: Agent): Agent {
  const reuseSocket = agent.reuseSocket.bind(agent)
  agent.reuseSocket = (socket, request) => {
    request.once('error', (error) => ofReusedConnections.add(error))
    reuseSocket(socket, request)
  }
  return agent
}

export function isSecure(url: string): boolean {
  return url.startsWith('https:')
}

/** The proxy rejected a request, or got no response from the target. */
export class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
  /** The status of the proxy's response. */
  readonly status: number

  constructor(status: number) {
    super(`the proxy answered ${status}${meanings[status] ?? ''}`)
    this.status = status
  }
}

const meanings: Readonly<Record<number, string>> = {
  403: ': the request is not allowed',
  407: ': the user and password are missing or wrong',
  502: ': the target could not be reached',
  503: ': the target could not be reached',
  504: ': the target did not respond in time',
}

/**
 * Whether a proxy uses this status for its own problems. The specification of the plugin uses none of them, and a
 * response does not show whether the proxy or the target sent it.
 */
export function isProxyStatus(status: number): boolean {
  return [407, 502, 503, 504].includes(status)
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

/**
 * Throws if the proxy does not open a tunnel. The library would return the proxy's response as if it came from the
 * target.
 */
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
