import { Agent, type AgentOptions } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { ExactHttpProxyAgent, TunnelAgent } from './proxied.ts'
import type { Transport } from './transport.ts'

export type Agents = ReturnType<typeof createAgents>

/** The connection pools of a client for a base URL. A proxy gets absolute URLs for http, and a tunnel for https. */
export function createAgents(baseUrl: string, transport: Transport) {
  const shared = createAgent(baseUrl, transport, { keepAlive: true })
  return {
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

export function isSecure(url: string): boolean {
  return url.startsWith('https:')
}
