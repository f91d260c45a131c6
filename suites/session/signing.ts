import { createHash, createHmac } from 'node:crypto'
import type { PlatformCredentials } from './platform.ts'

/** How a signature differs from the right one. What is left out is as the request has it. */
export interface Signing {
  /** What signs; default: the right secret. */
  readonly secret?: string
  readonly method?: string
  readonly path?: string
  readonly body?: string
  /** The time that is signed, in whole seconds since 1970. Default: now, or earlier for an equal request. */
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

/** The time for a request; equal requests get different times. */
export type Times = (request: Omit<Signed, 'sign'>) => number

/**
 * Times that make no signature come twice: a platform may take the second one of a request that
 * changes something for a replay. Reads may be equal.
 */
export function createTimes(): Times {
  const used = new Set<string>()
  return ({ method, path, body }) => {
    let seconds = Math.floor(Date.now() / 1000)
    if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return seconds
    const digest = createHash('sha256')
      .update(`${method} ${path} `)
      .update(body ?? '')
      .digest('hex')
    while (used.has(`${seconds} ${digest}`)) seconds -= 1
    used.add(`${seconds} ${digest}`)
    return seconds
  }
}

/**
 * The two headers of a signed request: the time, and the hexadecimal HMAC-SHA256 over time, method,
 * path and body. None where nothing signs it.
 */
export function signatureHeaders(
  { sign, ...request }: Signed,
  { secret: ownSecret, vendor, prefix, times }: Omit<PlatformCredentials, 'key'>,
): Record<string, string> {
  const secret = sign?.secret ?? ownSecret
  if (sign === null || secret === null) return {}
  const { atSeconds = times(request), sentSeconds = atSeconds, spell = (text) => text } = sign
  const signature = createHmac('sha256', secret)
    .update(`${atSeconds}${sign.method ?? request.method}${prefix}${sign.path ?? request.path}`)
    .update(sign.body ?? request.body ?? '')
    .digest('hex')
  return {
    ...(sign.withoutTimestamp ? {} : { [`X-${vendor}-Timestamp`]: String(sentSeconds) }),
    [`X-${vendor}-Signature`]: spell(signature),
  }
}
