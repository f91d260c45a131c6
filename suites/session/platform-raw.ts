import { accountPath, createPath } from './platform.ts'
import type { PlatformSession } from './platform-session.ts'
import { rawRequest } from './raw-request.ts'

const json = 'Content-Type: application/json'

/** GET /v1/account or a similar request as raw bytes. */
export function rawAccount(
  platform: PlatformSession,
  { method = 'GET', path = accountPath }: { readonly method?: 'GET' | 'HEAD'; readonly path?: string } = {},
  furtherHeaders: readonly string[] = [],
): Buffer {
  const headers = platform.headersOf(method, path, '')
  return rawRequest(platform.address, [method, path], [json, ...headers, ...furtherHeaders, '', ''])
}

/** A request with a wrong key and with this body, as raw bytes. */
export function rawRejected(
  platform: PlatformSession,
  body: string,
  target: readonly [method: 'GET' | 'POST', path: string] = ['GET', accountPath],
): Buffer {
  const headers = ['Authorization: Bearer not-the-key', `Content-Length: ${body.length}`]
  return rawRequest(platform.address, target, [json, ...headers, '', body])
}

interface RawBody {
  /** The signed body, or null. */
  readonly signed: string | null
  readonly sent: string
  /** The headers that delimit `sent`. Default: its length. */
  readonly framing?: string
}

/** A creation, or another request with a body, as raw bytes. */
export function rawCreation(
  platform: PlatformSession,
  { signed, sent, framing = `Content-Length: ${Buffer.byteLength(sent)}` }: RawBody,
  [method, path]: readonly [method: 'POST' | 'PUT', path: string] = ['POST', createPath],
): Buffer {
  const headers = platform.headersOf(method, path, signed)
  return rawRequest(platform.address, [method, path], [json, ...headers, framing, '', sent])
}
