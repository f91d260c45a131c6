import { accountPath, createPath, type PlatformRequest } from './platform.ts'
import type { PlatformSession } from './platform-session.ts'
import { rawRequest } from './raw-request.ts'

const json = 'Content-Type: application/json'

type RawHead = Partial<Pick<PlatformRequest, 'method' | 'path' | 'key'>>

/** GET /v1/account or a similar request as raw bytes. */
export function rawAccount(
  platform: PlatformSession,
  { method = 'GET', path = accountPath, key = platform.key }: RawHead = {},
  furtherHeaders: readonly string[] = [],
): Buffer {
  const headers = platform.headersOf(method, path, '', key)
  return rawRequest(platform.address, [method, path], [json, ...headers, ...furtherHeaders, '', ''])
}

interface RawBody {
  /** The signed body, or null. */
  readonly signed: string | null
  readonly sent: string
  /** The headers that delimit `sent`. Default: its length. */
  readonly framing?: string
  /** Default: the correct one. */
  readonly key?: string | null
}

/** A creation, or another request with a body, as raw bytes. */
export function rawCreation(
  platform: PlatformSession,
  { signed, sent, framing = `Content-Length: ${Buffer.byteLength(sent)}`, key = platform.key }: RawBody,
  [method, path]: readonly [method: 'GET' | 'POST' | 'PUT', path: string] = ['POST', createPath],
): Buffer {
  const headers = platform.headersOf(method, path, signed, key)
  return rawRequest(platform.address, [method, path], [json, ...headers, framing, '', sent])
}
