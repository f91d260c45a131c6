import { stringify } from 'lossless-json'
import type { Client } from '../client/client.ts'
import type { Method } from '../client/request.ts'

/** Changes to a valid request. */
export interface RequestOverrides {
  /** The key to send; `null` sends none. Default: the correct one. */
  readonly key?: string | null
  /** The header that carries the key. Default: that of the plugin, `x-api-key` if none is stated. */
  readonly as?: 'x-api-key' | 'bearer'
  /** Further headers, which override the kit's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Spells the path of the operation in another way, e.g. with a query string. */
  readonly spell?: (path: string) => string
}

export interface PluginRequest extends RequestOverrides {
  readonly method: Method
  readonly path: string
  /** Sent byte for byte; a string as UTF-8. */
  readonly body?: string | Buffer
  /** `null` sends none. Default: `application/json`. */
  readonly contentType?: string | null
}

export type Plugin = ReturnType<typeof createPlugin>

/** The operations of the plugin API behind `client`. They judge nothing. `key` is the correct key, and `keyAs` its header. */
export function createPlugin(client: Client, key: string, keyAs?: RequestOverrides['as']) {
  const send = (request: PluginRequest) => {
    const body = typeof request.body === 'string' ? Buffer.from(request.body) : (request.body ?? null)
    return client({
      method: request.method,
      path: request.spell?.(request.path) ?? request.path,
      headers: {
        ...(body === null || request.contentType === null
          ? {}
          : { 'Content-Type': request.contentType ?? 'application/json' }),
        ...keyHeader(request.key === undefined ? key : request.key, request.as ?? keyAs),
        ...request.headers,
      },
      body,
    })
  }
  const posted = { method: 'POST', path: '/api/rules' } as const
  return {
    send,
    status: (overrides?: RequestOverrides) => send({ ...overrides, method: 'GET', path: '/api/status' }),
    list: (overrides?: RequestOverrides) => send({ ...overrides, method: 'GET', path: '/api/rules' }),
    /** `body` is sent as JSON. */
    add: (body: unknown, overrides?: RequestOverrides) => send({ ...overrides, ...posted, body: toJson(body) }),
    /** The same with a literal body. */
    addText: (body: string | Buffer, contentType?: string) =>
      send({ ...posted, body, ...(contentType !== undefined && { contentType }) }),
    remove: (index: number | string, overrides?: RequestOverrides) =>
      send({ ...overrides, method: 'DELETE', path: `/api/rules/${index}` }),
  }
}

export function keyHeader(key: string | null, as: RequestOverrides['as'] = 'x-api-key'): Record<string, string> {
  if (key === null) return {}
  return as === 'bearer' ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key }
}

/** JSON with `bigint` as a numeral. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    // Much faster, but does not support `bigint`.
    return stringify(value) ?? 'null'
  }
}
