import type { IncomingHttpHeaders } from 'node:http'
import type { ReceivedRequest } from '../../server/receive.ts'
import type { ErrorResponse } from '../../server/response.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import { hashSecret, type KeyRecord } from '../keys/key-pair.ts'
import { type SignedParts, sameText, sign } from '../keys/signature.ts'
import type { PlatformProfile } from '../profile/profile.ts'

/** How requests are authenticated (clause 5). */
export function authenticationHooks(profile: PlatformProfile) {
  const challenge: Readonly<Record<string, string>> =
    profile['platform.auth.challenge'] === 'sent' ? { 'WWW-Authenticate': 'Bearer' } : {}
  const wrongStatus = Number(profile['platform.errors.wrong-key'])
  const reject = (status: number, code: string, message: string): ErrorResponse =>
    new CodedErrorResponse(status, code, message, challenge)
  const wrongKey = (_given: string): ErrorResponse => reject(wrongStatus, 'invalid_api_key', 'The API key is wrong.')
  const spaces = profile['platform.auth.bearer-spaces'] === 'accepted' ? ' +' : ' '
  const anyCase = profile['platform.auth.bearer-case'] === 'accepted' ? 'i' : ''
  const bearer = new RegExp(`^Bearer${spaces}([^ ].*)$`, anyCase)
  return {
    /** The key in Authorization; undefined if the header is absent, empty or has another scheme. */
    readBearer: (headers: IncomingHttpHeaders): string | undefined => bearer.exec(headers.authorization ?? '')?.[1],
    /** The key from any other part of the request. */
    readKeyElsewhere: ({ headers }: ReceivedRequest): string | undefined =>
      profile['platform.auth.x-api-key'] === 'accepted' ? headers['x-api-key']?.toString() : undefined,
    sameKey: sameText,
    /** The key whose secret was sent instead, if the profile accepts that. */
    findBySecret: (given: string, keys: readonly KeyRecord[]): KeyRecord | undefined =>
      profile['platform.auth.secret-as-bearer'] === 'accepted'
        ? keys.find(({ secretHash }) => sameText(hashSecret(given), secretHash))
        : undefined,
    /** The error response to a known key that is not valid now; undefined if it is valid. */
    judgeKey: ({ expiresAt, revokedAt, apiKey }: KeyRecord, nowMs: number): ErrorResponse | undefined => {
      if (revokedAt !== null) return wrongKey(apiKey)
      const expired = expiresAt !== null && nowMs >= Date.parse(expiresAt)
      return expired ? reject(wrongStatus, 'expired_api_key', 'The API key has expired.') : undefined
    },
    /** The stored hash of a secret. */
    hashSecret,
    missingKey: (): ErrorResponse =>
      reject(Number(profile['platform.errors.missing-key']), 'invalid_api_key', 'The API key is missing.'),
    wrongKey,
    rejectedAddress: (): ErrorResponse =>
      reject(wrongStatus, 'ip_not_whitelisted', 'This address may not use the API.'),
  }
}

/** The signature headers of a request; undefined if absent. */
export interface SignatureHeaders {
  readonly timestamp: string | undefined
  readonly signature: string | undefined
}

interface GivenSignature {
  readonly timestamp: string
  readonly signature: string
}

/** How a signature is checked. Based on public facts, not required by the specification (clause 5). */
export function signingHooks(profile: PlatformProfile, vendor: string) {
  const check = profile['platform.signing.check']
  const wrongSignature = (reason: string): ErrorResponse =>
    new CodedErrorResponse(Number(profile['platform.signing.status']), 'invalid_signature', reason)
  const header = (name: string) => `x-${vendor}-${name}`.toLowerCase()
  return {
    checksSignatures: check !== 'off',
    readSignature: (headers: IncomingHttpHeaders): SignatureHeaders => ({
      timestamp: headers[header('timestamp')]?.toString(),
      signature: headers[header('signature')]?.toString(),
    }),
    /** The signature, or `unsigned`. Throws if only one of the headers is present. */
    judgePresence: ({ timestamp, signature }: SignatureHeaders): GivenSignature | 'unsigned' => {
      if (timestamp !== undefined && signature !== undefined) return { timestamp, signature }
      const isHalf = timestamp !== undefined || signature !== undefined
      if (isHalf && profile['platform.signing.without-timestamp'] === 'refused') {
        throw wrongSignature('The timestamp and the signature must come together.')
      }
      return 'unsigned'
    },
    /** Throws if a request must be signed. */
    judgeUnsigned: (): void => {
      if (check === 'required') throw wrongSignature('The request is not signed.')
    },
    /** The part of the request target that the signature covers. */
    signedPath: (target: string): string =>
      profile['platform.signing.covers-query'] === 'included' ? target : (target.split('?')[0] ?? ''),
    sign: (key: Uint8Array, parts: SignedParts): string => sign(key, parts),
    sameSignature: (given: string, right: string): boolean =>
      sameText(profile['platform.signing.upper-case'] === 'accepted' ? given.toLowerCase() : given, right),
    /** Whether a timestamp is close enough to the clock. `aheadMs` is negative for a timestamp in the past. */
    isFresh: (aheadMs: number, windowMs: number): boolean => {
      if (Math.abs(aheadMs) <= windowMs) return true
      const answer = aheadMs < 0 ? profile['platform.signing.stale'] : profile['platform.signing.future']
      return answer === 'accepted' && Math.abs(aheadMs) <= maxSkewMs
    },
    /** Whether a signature may be used only once. */
    countsOnce: (method: string): boolean => method === 'POST' && profile['platform.signing.replayed'] === 'refused',
    wrongSignature,
  }
}

/** Requests older than this are rejected even if old requests are accepted. */
const maxSkewMs = 12 * 60 * 60 * 1000
