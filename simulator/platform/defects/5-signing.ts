import { openConnections } from '../../defect-parts/connections.ts'
import { fail } from '../../defect-parts/wire.ts'
import type { SignedParts } from '../keys/signature.ts'
import { masked, maskedByDefault, rows } from './defect.ts'
import { withoutHead, withoutList, withoutSignatures } from './masks.ts'
import { argument, instead, result } from './overrides.ts'

/** A server that accepts other signatures. `right` is that of the request as it was sent. */
const accepts = (isAccepted: (given: string, right: string) => boolean) =>
  instead('sameSignature', (_, given, right) => isAccepted(given, right))

/** A server that also accepts the signature of any of these requests. */
const acceptsSignatureOf = (others: (parts: SignedParts) => readonly SignedParts[]) =>
  instead('sameSignature', ({ sign, sameSignature, known: { key, parts } }, given, right) => {
    const rights = others(parts).map((other) => sign(key, other))
    return [right, ...rights].some((candidate) => sameSignature(given, candidate))
  })

/** A server that does not check the signatures of these requests. */
const uncheckedFor = (isFree: (parts: SignedParts) => boolean) =>
  result('sameSignature')((isSame, _, { parts }) => isSame || isFree(parts))

const dayMs = 24 * 60 * 60 * 1000
const toleratedSeconds = 300

/** Clause 5, public facts: how signatures are checked. */
export const signingDefects = maskedByDefault(withoutSignatures, [
  ...rows('platform.signing.whole-signature', accepts, {
    'platform.signature.last-digit-not-compared The last digit of a signature is not compared.': (given, right) =>
      given.length === right.length && given.startsWith(right.slice(0, -1)),
    'platform.signature.compared-by-prefix A prefix of the signature is accepted.': (given, right) =>
      right.startsWith(given),
    'platform.signature.longer-accepted A signature with further digits is accepted.': (given, right) =>
      given.startsWith(right),
    'platform.signature.digits-in-any-order A signature with its digits in any order is accepted.': (given, right) =>
      [...given].toSorted().join('') === [...right].toSorted().join(''),
  }),
  ...rows('platform.signing.whole-signature', {
    'platform.signature.not-checked-again-in-a-second After a correct signature, any with the same timestamp is accepted.':
      result('sameSignature')((_isSame, _given, { parts, verified }) => verified === parts.timestamp),
  }),
  ...rows('platform.auth.client-error', {
    'platform.signature.no-digits-returns-500 A signature that is not hexadecimal returns 500.': () =>
      argument('sameSignature')((given) => (/^[\da-f]*$/i.test(given) ? given : fail())),
    'platform.signature.other-letters-return-500 A signature with letters outside of ASCII returns 500.': () =>
      argument('sameSignature')((given) => (/^[\x20-\x7e]*$/.test(given) ? given : fail())),
    'platform.signature.odd-length-returns-500 A signature with an odd number of digits returns 500.': () =>
      argument('sameSignature')((given) => (given.length % 2 === 0 ? given : fail())),
  }),
  ...rows('platform.signing.every-request', {
    'platform.signature.not-checked-with-a-query The signature of a request with a query string is not checked.':
      masked([...withoutSignatures, { answers: { 'platform.path.query': '400' } }])(
        result('sameSignature')((isSame, _, { target }) => isSame || target.includes('?')),
      ),
    'platform.signature.not-checked-for-list The signature of a request for the list is not checked.': masked([
      ...withoutSignatures,
      ...withoutList,
    ])(uncheckedFor(({ method, path }) => method === 'GET' && path.includes('accounts'))),
    'platform.signature.not-checked-for-head The signature of HEAD is not checked.': masked([
      ...withoutSignatures,
      ...withoutHead,
    ])(uncheckedFor(({ method }) => method === 'HEAD')),
    'platform.signature.any-digits-accepted Any 64 hexadecimal digits are accepted.': () =>
      accepts((given) => /^[\da-f]{64}$/.test(given)),
    'platform.signature.not-checked-with-many-connections With more than four open connections, no signature is checked.':
      ({ finish, sameSignature }) => {
        const open = openConnections()
        return {
          finish: (response, request) => {
            open.see(request)
            return finish(response, request)
          },
          sameSignature: (given, right) => open.count() > 4 || sameSignature(given, right),
        }
      },
    'platform.signature.empty-secret-accepted A signature that is made with an empty secret is accepted.': instead(
      'sameSignature',
      ({ sign, sameSignature, known }, given, right) =>
        given === sign(new Uint8Array(), known.parts) || sameSignature(given, right),
    ),
  }),
  ...rows('platform.signing.covers-request', acceptsSignatureOf, {
    'platform.signature.body-in-lower-case-accepted A signature for the body in lower case is accepted.': (parts) => [
      { ...parts, body: Buffer.from(Buffer.from(parts.body).toString().toLowerCase()) },
    ],
    'platform.signature.body-not-covered A signature without the body is accepted.': (parts) => [
      { ...parts, body: new Uint8Array() },
    ],
    'platform.signature.path-not-covered A signature for any path of the API is accepted.': (parts) =>
      ['/v1/account', '/v1/trading-accounts', ''].map((path) => ({ ...parts, path })),
    'platform.signature.method-not-covered A signature for another method is accepted.': (parts) =>
      ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH', ''].map((method) => ({ ...parts, method })),
    'platform.signature.timestamp-not-covered A signature for any time within five minutes of the timestamp is accepted.':
      (parts) => {
        const sent = Number(parts.timestamp)
        return Array.from({ length: 2 * toleratedSeconds + 1 }, (_, step) => ({
          ...parts,
          timestamp: `${sent - toleratedSeconds + step}`,
        }))
      },
  }),
  ...rows('platform.signing.covers-request', {
    'platform.signature.not-checked-with-a-long-body The signature of a request with more than 8 KiB is not checked.':
      uncheckedFor(({ body }) => body.length > 8_192),
  }),
  ...rows('platform.signing.day-old', {
    'platform.signature.timestamp-not-compared The timestamp is signed, but not compared with the clock.': () =>
      instead('isFresh', () => true),
    'platform.signature.time-of-post-not-compared The timestamp of a POST is not compared with the clock.': () =>
      result('isFresh')((isFresh, _, { parts }) => isFresh || parts.method === 'POST'),
    'platform.signature.without-a-time-accepted A timestamp that is not a number is not compared with the clock.': () =>
      result('isFresh')((isFresh, [aheadMs]) => isFresh || Number.isNaN(aheadMs)),
    'platform.signature.of-1970-accepted A timestamp of 1970 is not compared with the clock.': () =>
      result('isFresh')((isFresh, [aheadMs]) => isFresh || aheadMs < -50 * 365 * dayMs),
  }),
])
