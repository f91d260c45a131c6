import type { Client, Method } from '../client/client.ts'
import { toJson } from './plugin.ts'
import { type Signing, signatureHeaders, type Times } from './signing.ts'

/** How a request differs from the ordinary one. */
export interface PlatformOverrides {
  /** The key to send; `null` sends none. Default: the right one. */
  readonly key?: string | null
  /** How the request is signed; `null` sends no signature. Default: correctly if the secret is known. */
  readonly sign?: Signing | null
  /** Further headers, which override the kit's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Content-Type of the request; `null` sends none. Default: `application/json` (clause 4.1). */
  readonly contentType?: string | null
}

export interface PlatformRequest extends PlatformOverrides {
  readonly method: Method
  readonly path: string
  /** Sent byte for byte; a string as UTF-8. */
  readonly body?: string | Buffer
}

export type Platform = ReturnType<typeof createPlatform>

/** What all requests to one platform share. */
export interface PlatformCredentials {
  readonly key: string
  /** Null if unknown, when requests are not signed. */
  readonly secret: string | null
  /** The vendor in the names of the headers that carry a signature. */
  readonly vendor: string
  /** The part of the base URL's path before `/v1`; it is signed too. */
  readonly prefix: string
  readonly times: Times
}

export const accountPath = '/v1/account'
export const createPath = '/v1/trading-accounts'

/** The documented operations of the platform API behind `client`. They judge nothing. */
export function createPlatform(client: Client, credentials: PlatformCredentials) {
  const send = (request: PlatformRequest) => {
    const body = typeof request.body === 'string' ? Buffer.from(request.body) : (request.body ?? null)
    const key = request.key === undefined ? credentials.key : request.key
    const { method, path, sign = {} } = request
    return client({
      method,
      path,
      headers: {
        ...(request.contentType === null ? {} : { 'Content-Type': request.contentType ?? 'application/json' }),
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...signatureHeaders({ method, path, body, sign }, credentials),
        ...request.headers,
      },
      body,
    })
  }
  return {
    send,
    account: (overrides?: PlatformOverrides) => send({ ...overrides, method: 'GET', path: accountPath }),
    /** `body` is sent as JSON; use `send` for strings and bytes. */
    create: (body: unknown, overrides?: PlatformOverrides) =>
      send({ ...overrides, method: 'POST', path: createPath, body: toJson(body) }),
  }
}
