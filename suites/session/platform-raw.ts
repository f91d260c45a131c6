import { accountPath, createPath } from './platform.ts'
import type { PlatformSession } from './platform-session.ts'

/** GET /v1/account as raw bytes. */
export function rawAccount(
  platform: PlatformSession,
  path: string = accountPath,
  further: readonly string[] = [],
): Buffer {
  return written(
    platform,
    [`GET ${platform.address.prefix}${path} HTTP/1.1`],
    [...platform.headersOf({ method: 'GET', path, body: '' }), ...further],
  )
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
