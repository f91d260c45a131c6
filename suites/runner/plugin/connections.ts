import { type Client, createClient, type PersistentClient } from '../../client/client.ts'
import { type Observer, observed } from '../../client/observed.ts'
import { createRawClient, type RawClient } from '../../client/raw.ts'
import { directTransport } from '../../client/transport.ts'
import type { Draft } from '../../model/rule.ts'
import { createPlugin, type Plugin } from '../../session/plugin.ts'
import { createRules, type Rules } from '../../session/rules.ts'
import type { Target } from '../../targets/target.ts'
import type { Shared } from '../shared.ts'
import type { PluginSettings } from './settings.ts'

/** The vocabulary for one base URL, with the clients behind it. */
export interface Access {
  readonly client: Client
  readonly raw: RawClient
  readonly plugin: Plugin
  readonly rules: Rules
}

/** The clients of a plugin; `closeIdle` ends the connections that no request uses, all but the `kept` of each client. */
export function createConnections(
  { target, timeoutMs }: PluginSettings,
  { pace, recorder, hangs }: Shared,
  draft: (changes?: Partial<Draft>) => Draft,
  observers: readonly Observer[],
) {
  const clients: PersistentClient[] = []
  const urls = new Set<string>()
  const access = (url: string, key: string): Access => {
    // Servers that the kit launches beside the target are on this machine, and of its kind.
    const transport = url === target.url || target.server !== null ? target.transport : directTransport
    const waits = hangs.at({ url, key, timeoutMs })
    urls.add(url)
    const options = { baseUrl: url, transport, timeoutMs, pace, recorder, waits }
    const persistent = createClient(options)
    clients.push(persistent)
    const sent = { client: persistent, raw: withKeyHeader(createRawClient(options), target.keyAs) }
    const { client, raw } = observed(url, sent, observers)
    const plugin = createPlugin(client, key, target.keyAs)
    return { client, raw, plugin, rules: createRules({ plugin, draft }) }
  }
  const closeIdle = (kept?: number) => {
    for (const client of clients) client.closeIdle(kept)
  }
  /** A server was started, stopped or killed. */
  const forget = () => {
    for (const url of urls) hangs.forget(url)
  }
  return { access, closeIdle, forget }
}

/** Raw requests are written with `X-API-Key`; a server that does not know it gets the other header. */
function withKeyHeader(raw: RawClient, keyAs: Target['keyAs']): RawClient {
  if (keyAs === undefined) return raw
  const inOther = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll('\r\nX-API-Key: ', '\r\nAuthorization: Bearer '), 'latin1')
  return (request) => {
    const { bytes } = request
    return raw({ ...request, bytes: Buffer.isBuffer(bytes) ? inOther(bytes) : bytes.map(inOther) })
  }
}
