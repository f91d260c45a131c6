import { type Reply, type Sent, send } from '../../testing/client.ts'
import type { KeyPair } from '../keys/key-pair.ts'
import { sign } from '../keys/signature.ts'

/** A pair that every simulator in a test knows. */
export const pair: KeyPair = {
  apiKey: 'bk_test_0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  apiSecret: `bs_${'a-secret-of-more-than-64-bytes-'.repeat(3)}`,
}

export const bearer = { Authorization: `Bearer ${pair.apiKey}` }
export const withType = { 'Content-Type': 'application/json' }
export const documented = { ...bearer, ...withType }

/** Terms that every profile accepts. */
export const terms = { name: 'Ada', group: 'demo', leverage: 100, currency: 'USD', balance: 1000 }

export interface PlatformReply extends Reply {
  /** The JSON of the body; undefined if it is not JSON. */
  readonly json: unknown
}

interface Server {
  readonly port: number
}

/** Sends one request, by default GET /v1/account with the documented headers. */
export async function ask(server: Server, sent: Sent = {}): Promise<PlatformReply> {
  const reply = await send(server, { path: '/v1/account', headers: documented, ...sent })
  return { ...reply, json: parse(reply.text) }
}

/** POST /v1/trading-accounts with `terms`, some members of them changed. */
export function create(server: Server, changes: object = {}, sent: Sent = {}): Promise<PlatformReply> {
  return post(server, JSON.stringify({ ...terms, ...changes }), sent)
}

/** POST /v1/trading-accounts with this body. */
export function post(server: Server, body: string | Uint8Array, sent: Sent = {}): Promise<PlatformReply> {
  return ask(server, { method: 'POST', path: '/v1/trading-accounts', body, ...sent })
}

export interface Listed {
  readonly [field: string]: unknown
}

/** The accounts that GET /v1/trading-accounts returns in its default format. */
export async function list(server: Server): Promise<readonly Listed[]> {
  const { json } = await ask(server, { path: '/v1/trading-accounts' })
  return (json as { data: readonly Listed[] }).data
}

export interface Signing {
  readonly method?: string
  readonly path?: string
  readonly body?: string
  /** Seconds since 1970. Default: now. */
  readonly timestamp?: number
  readonly apiSecret?: string
}

/** The two headers of a signed request. */
export function signed({ method = 'GET', path = '/v1/account', body = '', ...rest }: Signing = {}) {
  const { timestamp = Math.floor(Date.now() / 1000), apiSecret = pair.apiSecret } = rest
  const parts = { timestamp: `${timestamp}`, method, path, body: Buffer.from(body) }
  return { 'X-Platform-Timestamp': parts.timestamp, 'X-Platform-Signature': sign(apiSecret, parts) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
