import { createHmac, hash } from 'node:crypto'
import { isRead } from '../client/exchange.ts'
import type { PlatformCredentials } from './platform.ts'

/** Changes to a correct signature. Absent members have the value of the request. */
export interface Signing {
  readonly secret?: string
  readonly method?: string
  readonly path?: string
  readonly body?: string
  /** The signed time in seconds since 1970. Default: now, or earlier for an equal request. */
  readonly atSeconds?: number
  /** The sent time. Default: the signed time. */
  readonly sentSeconds?: number
  readonly withoutTimestamp?: true
  readonly spell?: (signature: string) => string
}

interface Signed {
  readonly method: string
  readonly path: string
  readonly body: Buffer | null
  readonly sign: Signing | null
}

/** The time of a request; equal requests get different times. */
export type Times = (request: Omit<Signed, 'sign'>) => number

/** Times that make each signature of a write unique: a platform may reject a repeated one as a replay. */
export function createTimes(): Times {
  const used = new Set<string>()
  return ({ method, path, body }) => {
    let seconds = Math.floor(Date.now() / 1000)
    if (isRead(method)) return seconds
    const digest = hash('sha256', `${method} ${path} ${body?.toString('latin1') ?? ''}`)
    while (used.has(`${seconds} ${digest}`)) seconds -= 1
    used.add(`${seconds} ${digest}`)
    return seconds
  }
}

/** Another digit in place of a hexadecimal one. */
export const otherDigit = (digit = '0') => (digit === '0' ? '1' : '0')

/** A signature of which no digit is right, so that their order cannot matter. */
export const wrongDigits: Signing = { spell: (signature) => signature.replaceAll(/./g, otherDigit) }

/** The headers of a signed request: the time, and the HMAC-SHA256 of time, method, path and body. */
export function signatureHeaders(
  { sign, ...request }: Signed,
  { secret: ownSecret, vendor, prefix, times }: Omit<PlatformCredentials, 'key' | 'pace'>,
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
