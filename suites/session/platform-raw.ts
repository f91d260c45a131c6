import { accountPath, createPath } from './platform.ts'
import type { PlatformSession } from './platform-session.ts'

interface RawRead {
  readonly method?: 'GET' | 'HEAD'
  readonly path?: string
  /** Further headers. */
  readonly further?: readonly string[]
}

/** GET /v1/account or a similar request as raw bytes. */
export function rawAccount(
  platform: PlatformSession,
  { method = 'GET', path = accountPath, further = [] }: RawRead = {},
): Buffer {
  return written(
    platform,
    [`${method} ${platform.address.prefix}${path} HTTP/1.1`],
    [...platform.headersOf({ method, path, body: '' }), ...further],
  )
}

/** GET /v1/account with a wrong key and with this body, as raw bytes. */
export function rawRejected(platform: PlatformSession, body: string): Buffer {
  const further = ['Authorization: Bearer not-the-key', `Content-Length: ${body.length}`]
  return written(platform, [`GET ${platform.address.prefix}${accountPath} HTTP/1.1`], further, body)
}

/**
 * A creation as raw bytes. `signed` is the signed body, null for no signature. `sent` is what follows the headers, and
 * `framing` the headers that delimit it.
 */
export function rawCreation(
  platform: PlatformSession,
  { signed, sent, framing }: { readonly signed: string | null; readonly sent: string; readonly framing: string },
): Buffer {
  const headers = platform.headersOf({ method: 'POST', path: createPath, body: signed })
  return written(platform, [`POST ${platform.address.prefix}${createPath} HTTP/1.1`], [...headers, framing], sent)
}

function written({ address }: PlatformSession, line: readonly string[], headers: readonly string[], body = ''): Buffer {
  const all = [...line, `Host: ${address.host}`, 'Content-Type: application/json', ...headers, '', body]
  return Buffer.from(all.join('\r\n'))
}
