import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorResponse } from '../../server/response.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import { type SignedParts, sameText, sign } from '../keys/signature.ts'
import type { PlatformProfile } from '../profile/profile.ts'

/** The signature headers of a request; undefined if absent. */
export interface SignatureHeaders {
  readonly timestamp: string | undefined
  readonly signature: string | undefined
}

type GivenSignature = Readonly<Record<keyof SignatureHeaders, string>>

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
