import { Agent, type AgentOptions } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { ExactHttpProxyAgent } from './proxied.ts'
import type { Transport } from './transport.ts'

/** The connection pools of a client. */
export interface Agents {
  /** Keeps connections open for the next request. */
  readonly shared: Agent
  /** Opens one connection for each request. */
  readonly own: Agent
  /** Closes idle connections. */
  closeIdle(): void
}

/** Agents for a base URL. A proxy gets absolute URLs for http, and a tunnel for https. */
export function createAgents(baseUrl: string, transport: Transport): Agents {
  const shared = createAgent(baseUrl, transport, { keepAlive: true })
  return {
    shared,
    own: createAgent(baseUrl, transport, { keepAlive: false }),
    closeIdle() {
      for (const socket of Object.values(shared.freeSockets).flat()) socket?.destroy()
    },
  }
}

function createAgent(baseUrl: string, { proxy }: Transport, options: AgentOptions): Agent {
  const secure = isSecure(baseUrl)
  if (proxy !== null) return secure ? new HttpsProxyAgent(proxy, options) : new ExactHttpProxyAgent(proxy, options)
  return secure ? new TlsAgent(options) : new Agent(options)
}

export function isSecure(url: string): boolean {
  return url.startsWith('https:')
}
