import { createHash, randomBytes } from 'node:crypto'
import { InvalidOptionError } from '../../server/check-option.ts'

/** A key and its secret, which is shown only when the pair is created (clause 5). */
export interface KeyPair {
  /** Public identifier: `bk_test_…`, or `bk_live_…` for a live one. */
  readonly apiKey: string
  /** Private; longer than 64 bytes. */
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
  /** ISO 8601 in UTC, like the next two; null if the key never expires. */
  readonly createdAt: string
  readonly expiresAt: string | null
  /** Null unless the key is revoked. */
  readonly revokedAt: string | null
}

/** A key as it is listed, without its secret hash. */
export type ListedKey = Omit<KeyRecord, 'secretHash'>

/** The block size of SHA-256: HMAC hashes longer keys first (RFC 2104, section 2). */
const blockBytes = 64

/** A new pair from 192 and 384 random bits. */
export function randomPair(live: boolean): KeyPair {
  return {
    apiKey: `bk_${live ? 'live' : 'test'}_${randomBytes(24).toString('hex')}`,
    apiSecret: `bs_${randomBytes(48).toString('base64url')}`,
  }
}

/**
 * The only stored form of a secret: its SHA-256. HMAC-SHA256 first hashes a key longer than its block (RFC 2104,
 * section 2), so for a secret of more than 64 bytes this hash is the key that HMAC uses: signatures can be verified
 * without storing the secret. The hash resembles the intermediate results that RFC 2104, section 4, suggests to store,
 * and like them it must be kept secret: anyone who has it can sign, but cannot learn the secret.
 */
export function hashSecret(apiSecret: string): string {
  return createHash('sha256').update(apiSecret).digest('hex')
}

/** @throws InvalidOptionError for an unusable pair; the message quotes nothing of it */
export function checkPair({ apiKey, apiSecret }: KeyPair): KeyPair {
  if (!/^[A-Za-z0-9._~+/=-]+$/.test(apiKey)) {
    throw new InvalidOptionError('The API key', 'letters, digits and . _ ~ + / = - as a bearer token may have')
  }
  if (Buffer.byteLength(apiSecret) <= blockBytes) {
    throw new InvalidOptionError(
      'The API secret (the option `apiSecret`, or TCK_PLATFORM_SECRET)',
      `longer than ${blockBytes} bytes, as only its hash is stored, which cannot verify signatures of shorter secrets`,
    )
  }
  return { apiKey, apiSecret }
}

/** The parts of a key that may be shown. */
export function listed({ secretHash: _, ...shown }: KeyRecord): ListedKey {
  return shown
}
