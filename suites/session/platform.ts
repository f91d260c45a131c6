import type { Client } from '../client/client.ts'
import { keyHeader, type PluginRequest, toJson } from './plugin.ts'
import { type PlatformCredentials, type Signing, signatureHeaders } from './signing.ts'

/** How a request differs from the ordinary one. */
export interface PlatformOverrides extends Pick<PluginRequest, 'key' | 'headers' | 'contentType'> {
  /** How the request is signed; `null` sends no signature. Default: correctly if the secret is known. */
  readonly sign?: Signing | null
}

export type PlatformRequest = PlatformOverrides & Pick<PluginRequest, 'method' | 'path' | 'body'>

export type Platform = ReturnType<typeof createPlatform>

export const accountPath = '/v1/account'
export const createPath = '/v1/trading-accounts'

/** The documented operations of the platform API behind `client`. They judge nothing. */
export function createPlatform(client: Client, credentials: PlatformCredentials) {
  const send = async (request: PlatformRequest) => {
    await credentials.pace()
    const body = typeof request.body === 'string' ? Buffer.from(request.body) : (request.body ?? null)
    const key = request.key === undefined ? credentials.key : request.key
    const { method, path, sign = {} } = request
    return client({
      method,
      path,
      headers: {
        ...(request.contentType === null ? {} : { 'Content-Type': request.contentType ?? 'application/json' }),
        ...keyHeader(key, 'bearer'),
        ...signatureHeaders({ method, path, body, sign }, credentials),
        ...request.headers,
      },
      body,
    })
  }
  const createText = (body: string | Buffer, overrides?: PlatformOverrides) =>
    send({ ...overrides, method: 'POST', path: createPath, body })
  return {
    key: credentials.key,
    secret: credentials.secret,
    /** Key and signature of a raw request; null for none. `body` is signed. */
    headersOf(method: string, path: string, body: string | null, key: string | null): readonly string[] {
      const signed = { method, path, body: Buffer.from(body ?? ''), sign: body === null ? null : {} }
      return Object.entries({ ...keyHeader(key, 'bearer'), ...signatureHeaders(signed, credentials) }).map(
        ([name, value]) => `${name}: ${value}`,
      )
    },
    send,
    account: (overrides?: PlatformOverrides) => send({ ...overrides, method: 'GET', path: accountPath }),
    /** `body` is sent as JSON. */
    create: (body: unknown, overrides?: PlatformOverrides) => createText(toJson(body), overrides),
    /** The same with a literal body. */
    createText,
  }
}
