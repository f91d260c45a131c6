import { createHmac } from 'node:crypto'
import type { PlatformCredentials } from './platform.ts'

/** How a signature differs from the right one. What is left out is as the request has it. */
export interface Signing {
  /** What signs; default: the right secret. */
  readonly secret?: string
  readonly method?: string
  readonly path?: string
  readonly body?: string
  /** The time that is signed, in whole seconds since 1970. Default: now. */
  readonly atSeconds?: number
  /** The time that is sent. Default: the one that is signed. */
  readonly sentSeconds?: number
  /** Leave the header with the time out. */
  readonly withoutTimestamp?: true
  /** Turns the right signature into what is sent. */
  readonly spell?: (signature: string) => string
}

interface Signed {
  readonly method: string
  readonly path: string
  readonly body: Buffer | null
  readonly sign: Signing | null
}

/**
 * The two headers of a signed request: the time, and the hexadecimal HMAC-SHA256 over time, method,
 * path and body. None where nothing signs it.
 */
export function signatureHeaders(
  { sign, ...request }: Signed,
  { secret: ownSecret, vendor, prefix }: Omit<PlatformCredentials, 'key'>,
): Record<string, string> {
  const secret = sign?.secret ?? ownSecret
  if (sign === null || secret === null) return {}
  const { atSeconds = Math.floor(Date.now() / 1000), sentSeconds = atSeconds, spell = (text) => text } = sign
  const signature = createHmac('sha256', secret)
    .update(`${atSeconds}${sign.method ?? request.method}${prefix}${sign.path ?? request.path}`)
    .update(sign.body ?? request.body ?? '')
    .digest('hex')
  return {
    ...(sign.withoutTimestamp ? {} : { [`X-${vendor}-Timestamp`]: String(sentSeconds) }),
    [`X-${vendor}-Signature`]: spell(signature),
  }
}
