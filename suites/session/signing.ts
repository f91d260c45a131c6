import { createHmac, hash } from 'node:crypto'
import { isRead } from '../client/exchange.ts'
import type { Pace } from '../client/wait.ts'

export interface PlatformCredentials {
  readonly key: string
  /** Null if unknown, when requests are not signed. */
  readonly secret: string | null
  /** The vendor in the names of the headers that carry a signature. */
  readonly vendor: string
  /** The part of the base URL's path before `/v1`; it is signed too. */
  readonly prefix: string
  readonly times: Times
  /** Awaited before a request is signed, since a platform may reject an old signature. */
  readonly pace: Pace
}

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

/** The time as it is signed: in seconds since 1970. */
export const nowSeconds = () => Math.floor(Date.now() / 1000)

/** The time of a request; equal requests get different times. */
export type Times = (request: Omit<Signed, 'sign'>) => number

/**
 * Times that make each signature of a write unique: a platform may reject a repeated one as a replay. If it does so for
 * reads too, `readsSignedAt` is about when the first reads were signed.
 */
export function createTimes(readsSignedAt?: number): Times {
  const used = new Set<string>()
  return ({ method, path, body }) => {
    const now = nowSeconds()
    if (isRead(method) && readsSignedAt === undefined) return now
    const digest = hash('sha256', `${method} ${path} ${body?.toString('latin1') ?? ''}`)
    const isUsed = (seconds: number) =>
      used.has(`${seconds} ${digest}`) || Math.abs(seconds - (readsSignedAt ?? 0)) <= firstReadsSeconds
    // A later time could be rejected, so writes, of which few are equal, get earlier ones.
    for (let away = 0; ; away += 1) {
      const free = (isRead(method) ? [now - away, now + away] : [now - away]).find((seconds) => !isUsed(seconds))
      if (free === undefined) continue
      used.add(`${free} ${digest}`)
      return free
    }
  }
}

/** How close to that time the first reads were signed. */
const firstReadsSeconds = 12

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
