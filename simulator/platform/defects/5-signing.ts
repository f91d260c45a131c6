import type { PlatformOverride } from '../hooks/hooks.ts'
import type { SignedParts } from '../keys/signature.ts'
import { maskedByDefault, rows } from './defect.ts'
import { withoutSignatures } from './masks.ts'

/** A server that also accepts the signature of any of these requests. */
function acceptsSignatureOf(others: (parts: SignedParts) => readonly SignedParts[]): PlatformOverride {
  return ({ sign, sameSignature }) => {
    let rights: readonly string[] = []
    return {
      sign: (key, parts) => {
        rights = others(parts).map((other) => sign(key, other))
        return sign(key, parts)
      },
      sameSignature: (given, right) => [right, ...rights].some((candidate) => sameSignature(given, candidate)),
    }
  }
}

const daySeconds = 24 * 60 * 60
const dayMs = daySeconds * 1000
const toleratedSeconds = 300

/** Clause 5, public facts: how signatures are checked. */
export const signingDefects = maskedByDefault(withoutSignatures, [
  ...rows('platform.signing.whole-signature', {
    'platform.signature.last-digit-not-compared The last digit of a signature is not compared.': () => ({
      sameSignature: (given, right) => given.length === right.length && given.startsWith(right.slice(0, -1)),
    }),
    'platform.signature.compared-by-prefix A prefix of the signature is accepted.': () => ({
      sameSignature: (given, right) => right.startsWith(given),
    }),
  }),
  ...rows('platform.signing.covers-request', {
    'platform.signature.body-not-covered A signature without the body is accepted.': acceptsSignatureOf((parts) => [
      { ...parts, body: new Uint8Array() },
    ]),
    'platform.signature.path-not-covered A signature for any path of the API is accepted.': acceptsSignatureOf(
      (parts) => ['/v1/account', '/v1/trading-accounts', ''].map((path) => ({ ...parts, path })),
    ),
    'platform.signature.method-not-covered A signature for another method is accepted.': acceptsSignatureOf((parts) =>
      ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', ''].map((method) => ({ ...parts, method })),
    ),
    'platform.signature.timestamp-not-covered A signature for any time within five minutes of the timestamp is accepted.':
      acceptsSignatureOf((parts) => {
        const sent = Number(parts.timestamp)
        return Array.from({ length: 2 * toleratedSeconds + 1 }, (_, step) => ({
          ...parts,
          timestamp: `${sent - toleratedSeconds + step}`,
        }))
      }),
  }),
  ...rows('platform.signing.day-old', {
    'platform.signature.timestamp-not-compared The timestamp is signed, but not compared with the clock.': () => ({
      isFresh: () => true,
    }),
    'platform.signature.time-of-day-compared Only the time of day of the timestamp is compared.': ({ isFresh }) => ({
      isFresh: (aheadMs, windowMs) =>
        isFresh(((((aheadMs + dayMs / 2) % dayMs) + dayMs) % dayMs) - dayMs / 2, windowMs),
    }),
  }),
])
