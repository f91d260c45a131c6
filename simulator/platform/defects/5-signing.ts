import type { PlatformOverride } from '../hooks/hooks.ts'
import type { SignedParts } from '../keys/signature.ts'
import { maskedByDefault } from './defect.ts'
import { withoutSignatures } from './masks.ts'

/** A server that accepts the signature of any of these requests in place of the one that was sent. */
function takingFor(others: () => (parts: SignedParts) => readonly SignedParts[]): PlatformOverride {
  return ({ sign, sameSignature }) => {
    const othersOf = others()
    let rights: readonly string[] = []
    return {
      sign: (key, parts) => {
        rights = othersOf(parts).map((other) => sign(key, other))
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
  {
    id: 'platform.signature.last-digit-not-compared',
    breaks: ['platform.signing.whole-signature'],
    summary: 'The last digit of a signature is not compared.',
    override: () => ({
      sameSignature: (given, right) => given.length === right.length && given.slice(0, -1) === right.slice(0, -1),
    }),
  },
  {
    id: 'platform.signature.first-half-compared',
    breaks: ['platform.signing.whole-signature'],
    summary: 'Only the first half of a signature is compared.',
    override: () => ({
      sameSignature: (given, right) => given.length === right.length && given.slice(0, 32) === right.slice(0, 32),
    }),
  },
  {
    id: 'platform.signature.compared-by-prefix',
    breaks: ['platform.signing.whole-signature'],
    summary: 'A prefix of the signature is accepted.',
    override: () => ({ sameSignature: (given, right) => right.startsWith(given) }),
  },
  {
    id: 'platform.signature.empty-accepted',
    breaks: ['platform.signing.whole-signature'],
    summary: 'An empty signature is accepted.',
    override: ({ sameSignature }) => ({
      sameSignature: (given, right) => given === '' || sameSignature(given, right),
    }),
  },
  {
    id: 'platform.signature.body-left-out',
    breaks: ['platform.signing.covers-request'],
    summary: 'A signature without the body is accepted.',
    override: takingFor(() => (parts) => [{ ...parts, body: new Uint8Array() }]),
  },
  {
    id: 'platform.signature.of-the-previous-body',
    breaks: ['platform.signing.covers-request'],
    summary: 'A signature over the previous body is accepted.',
    override: takingFor(() => {
      let before: Uint8Array = new Uint8Array()
      return (parts) => {
        const others = [{ ...parts, body: before }]
        if (parts.body.length > 0) before = parts.body
        return others
      }
    }),
  },
  {
    id: 'platform.signature.path-of-another-endpoint',
    breaks: ['platform.signing.covers-request'],
    summary: 'A signature for any path of the API is accepted.',
    override: takingFor(
      () => (parts) => ['/v1/account', '/v1/trading-accounts', ''].map((path) => ({ ...parts, path })),
    ),
  },
  {
    id: 'platform.signature.any-method',
    breaks: ['platform.signing.covers-request'],
    summary: 'A signature for another method is accepted.',
    override: takingFor(
      () => (parts) => ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', ''].map((method) => ({ ...parts, method })),
    ),
  },
  {
    id: 'platform.signature.tolerance-for-the-signature',
    breaks: ['platform.signing.covers-request'],
    summary: 'A signature for any time within five minutes of the timestamp is accepted.',
    override: takingFor(() => (parts) => {
      const sent = Number(parts.timestamp)
      return Array.from({ length: 2 * toleratedSeconds + 1 }, (_, step) => ({
        ...parts,
        timestamp: `${sent - toleratedSeconds + step}`,
      }))
    }),
  },
  {
    id: 'platform.signature.timestamp-not-compared',
    breaks: ['platform.signing.day-old'],
    summary: 'The timestamp is signed, but not compared with the clock.',
    override: () => ({ isFresh: () => true }),
  },
  {
    id: 'platform.signature.time-of-day-compared',
    breaks: ['platform.signing.day-old'],
    summary: 'Only the time of day of the timestamp is compared.',
    override: ({ isFresh }) => ({
      isFresh: (aheadMs, windowMs) =>
        isFresh(((((aheadMs + dayMs / 2) % dayMs) + dayMs) % dayMs) - dayMs / 2, windowMs),
    }),
  },
])
