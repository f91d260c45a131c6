import { createHash, randomBytes } from 'node:crypto'
import { InvalidOptionError } from '../../server/check-option.ts'

/** A key and its secret, which is shown only when the pair is created (clause 5). */
export interface KeyPair {
  /** Public identifier: `bk_test_…`, or `bk_live_…` for a live one. */
  readonly apiKey: string
  /** Private; of more than 64 bytes. */
  readonly apiSecret: string
}

/** What is stored of a key pair. */
export interface KeyRecord {
  /** `key_` and digits. */
  readonly id: string
  readonly name: string
  readonly apiKey: string
  /** SHA-256 of the secret, in hexadecimal digits; see `hashSecret`. */
  readonly secretHash: string
  /** ISO 8601 in UTC, as the next two; null where it never expires. */
  readonly createdAt: string
  readonly expiresAt: string | null
  /** Null while it is not revoked. */
  readonly revokedAt: string | null
}

/** A key as it is listed, without its secret hash. */
export type ListedKey = Omit<KeyRecord, 'secretHash'>

/** The block of SHA-256: HMAC hashes keys that are longer (RFC 2104, section 2). */
const blockBytes = 64

/** A new pair from 192 and 384 random bits. */
export function randomPair(live: boolean): KeyPair {
  return {
    apiKey: `bk_${live ? 'live' : 'test'}_${randomBytes(24).toString('hex')}`,
    apiSecret: `bs_${randomBytes(48).toString('base64url')}`,
  }
}

/**
 * All that is stored of a secret: its SHA-256. HMAC-SHA256 first hashes a key longer than its block
 * (RFC 2104, section 2), so for a secret of more than 64 bytes this hash is the very key that HMAC
 * works with: signatures can be verified, and the secret itself is nowhere. It is of the same kind
 * as the intermediate results that RFC 2104, section 4, advises to store. Like them it must be kept
 * secret: with it a client can sign, but cannot learn the secret.
 */
export function hashSecret(apiSecret: string): string {
  return createHash('sha256').update(apiSecret).digest('hex')
}

/** @throws InvalidOptionError for a pair that cannot be used, with a message that quotes nothing of the pair */
export function checkPair({ apiKey, apiSecret }: KeyPair): KeyPair {
  if (!/^[A-Za-z0-9._~+/=-]+$/.test(apiKey)) {
    throw new InvalidOptionError('The API key', 'letters, digits and . _ ~ + / = - as a bearer token may have')
  }
  if (Buffer.byteLength(apiSecret) <= blockBytes) {
    throw new InvalidOptionError(
      'The API secret',
      `longer than ${blockBytes} bytes, as only its hash is stored, which cannot verify signatures of shorter secrets`,
    )
  }
  return { apiKey, apiSecret }
}

/** The parts of a key that may be shown. */
export function listed({ secretHash: _, ...shown }: KeyRecord): ListedKey {
  return shown
}
