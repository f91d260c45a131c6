import { createHmac, timingSafeEqual } from 'node:crypto'

/** The parts of a request that a signature covers, in their order. */
export interface SignedParts {
  readonly timestamp: string
  readonly method: string
  /** The path as it is sent, with its query string unless the profile says otherwise. */
  readonly path: string
  readonly body: Uint8Array
}

/**
 * The signature of a request: hex HMAC-SHA256 over timestamp, method, path and body.
 *
 * @param key the secret, or the 32 bytes of its SHA-256: for a secret of more than 64 bytes both give the same.
 */
export function sign(key: string | Uint8Array, { timestamp, method, path, body }: SignedParts): string {
  return createHmac('sha256', key).update(`${timestamp}${method}${path}`).update(body).digest('hex')
}

/** Compares two strings in constant time. */
export function sameText(given: string, right: string): boolean {
  const one = createHmac('sha256', comparisonKey).update(given).digest()
  const other = createHmac('sha256', comparisonKey).update(right).digest()
  return timingSafeEqual(one, other)
}

/** Any key works: HMAC only makes both strings equally long. */
const comparisonKey = 'comparison'
