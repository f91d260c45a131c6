import { after } from '../../defect-parts/events.ts'
import { changesResponse, withMembers, withStatus } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/response.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import type { PlatformHooks, PlatformOverride } from '../hooks/hooks.ts'
import type { SignedParts } from '../keys/signature.ts'
import { masked, maskedByDefault, type PlatformDefect, rows, withKnown } from './defect.ts'
import { withoutBody, withoutList, withoutSignatures } from './masks.ts'
import { accountWith, isWithoutKey, listing, on } from './overrides.ts'

/** A server that rejects some valid requests as if the key were wrong. */
function rejectsValidKeys({ errorBody }: PlatformHooks) {
  const { body, type } = errorBody({ status: 401, code: 'invalid_api_key', message: 'The API key is wrong.' })
  return { status: 401, body, headers: { 'Content-Type': type } }
}

const isPostWithoutKey = (asked: Parameters<typeof isWithoutKey>[0] & { readonly method?: string | undefined }) =>
  asked.method === 'POST' && isWithoutKey(asked)

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

/**
 * Clause 5: which keys are valid, the response without a valid key, where a secret must not appear, and, as public facts,
 * how signatures are checked.
 */
export const keyDefects: readonly PlatformDefect[] = [
  ...rows('platform.auth.account-needs-key', {
    'platform.key.account-needs-no-key GET of the account requires no key.': () => ({
      asksForKey: (received) => !(isWithoutKey(received) && received.path.endsWith('/account')),
    }),
    'platform.key.longer-key-accepted A key that begins with the correct key is accepted.': () => ({
      sameKey: (given, key) => given.startsWith(key),
    }),
    'platform.key.prefix-accepted A prefix of the key is accepted.': () => ({
      sameKey: (given, key) => key.startsWith(given),
    }),
    'platform.key.case-insensitive The key is case-insensitive.': () => ({
      sameKey: (given, key) => given.toLowerCase() === key.toLowerCase(),
    }),
    'platform.key.last-character-not-compared The last character of the key is not compared.': () => ({
      sameKey: (given, key) => given.length === key.length && given.slice(0, -1) === key.slice(0, -1),
    }),
    'platform.key.bearer-without-key-accepted Bearer without a key is accepted.': () => ({
      asksForKey: ({ headers }) => headers.authorization?.trim().toLowerCase() !== 'bearer',
    }),
    'platform.key.read-from-the-query The key is also accepted in the query string.': masked(
      ({ readKeyElsewhere }) => ({
        readKeyElsewhere: (received) =>
          readKeyElsewhere(received) ?? [...new URLSearchParams(received.query).values()].find((value) => value !== ''),
      }),
      { 'platform.path.query': '400' },
    ),
    'platform.key.read-from-a-cookie The key is also accepted in a cookie.': ({ readKeyElsewhere }) => ({
      readKeyElsewhere: (received) => readKeyElsewhere(received) ?? /=([^;]+)/.exec(received.headers.cookie ?? '')?.[1],
    }),
    'platform.key.any-scheme The last word of Authorization is the key, regardless of the scheme.': () => ({
      readBearer: ({ authorization }) => authorization?.split(' ').at(-1),
    }),
  }),
  ...rows(['platform.auth.account-needs-key', 'platform.auth.create-needs-key'], {
    'platform.key.only-checked-if-sent A key is checked only if it is sent.': () => ({
      asksForKey: (received) => !isWithoutKey(received),
    }),
    'platform.key.any-key-accepted Any key gives access to the account of the first key.': () => ({
      sameKey: () => true,
    }),
  }),
  ...rows('platform.auth.create-needs-key', {
    'platform.key.create-needs-no-key POST requires no key.': () => ({ asksForKey: ({ method }) => method !== 'POST' }),
    'platform.key.checked-after-creation A creation without a key returns 401, but is made.': masked(
      (hooks) => ({
        asksForKey: (received) => !isPostWithoutKey(received) && hooks.asksForKey(received),
        finish: (response, request) => (isPostWithoutKey(request) ? rejectsValidKeys(hooks) : response),
      }),
      withoutList,
    ),
    'platform.key.creation-without-key-returns-201 A creation without a key returns 201, but creates nothing.':
      changesResponse((_, request) => isPostWithoutKey(request), withStatus(201)),
  }),
  ...rows('platform.auth.case-insensitive', {
    'platform.key.header-name-case-sensitive The header name Authorization is case-sensitive.': (hooks) => ({
      finish: (response, { rawHeaders }) =>
        rawHeaders.some((name) => /^authorization$/i.test(name)) && !rawHeaders.includes('Authorization')
          ? rejectsValidKeys(hooks)
          : response,
    }),
  }),
  ...rows('platform.auth.client-error', {
    'platform.key.wrong-returns-500 A wrong key returns 500.': () => ({
      wrongKey: () => new ErrorResponse(500, 'Internal server error.'),
    }),
    'platform.key.missing-redirected A request without a key is redirected to a login form.': () => ({
      missingKey: () => new ErrorResponse(302, 'Log in.', { Location: '/login' }),
    }),
  }),
  ...rows('platform.auth.works-after-refusal', {
    'platform.key.locked-after-wrong-key After one wrong key every key is rejected.': after(
      on('wrongKey'),
      ({ wrongKey, judgeKey }, isLocked) => ({
        judgeKey: (key, nowMs) => (isLocked() ? wrongKey('') : judgeKey(key, nowMs)),
      }),
    ),
  }),
  ...rows('platform.secret.not-shown', {
    'platform.secret.in-account The account contains the secret.': accountWith((_, { secret }) => ({
      api_secret: secret,
    })),
    'platform.secret.in-signature-error The error for a wrong signature contains the secret.': masked(
      withKnown(({ wrongSignature }, known) => ({
        wrongSignature: (reason) => {
          const { status } = wrongSignature(reason)
          return new CodedErrorResponse(status, 'invalid_signature', `${reason} The secret is ${known.secret}.`)
        },
      })),
      withoutSignatures,
    ),
    'platform.secret.in-creation-response The response to a creation contains the secret of its key.': masked(
      withKnown(({ createdBody }, known) => ({
        createdBody: (account) => {
          const body = createdBody(account)
          return body === undefined ? body : withMembers(body, { api_secret: known.secret })
        },
      })),
      withoutBody,
    ),
    'platform.secret.in-list Each account of the list contains the secret of its key.': masked(
      withKnown((hooks, known) => listing(() => ({ api_secret: known.secret }))(hooks)),
      withoutList,
    ),
  }),
  ...rows('platform.secret.not-repeated', {
    'platform.secret.wrong-key-echoed The error for a wrong key repeats the key.': masked(
      ({ wrongKey }) => ({
        wrongKey: (given) => {
          const { status, headers } = wrongKey(given)
          return new CodedErrorResponse(status, 'invalid_api_key', `The API key ${given} is wrong.`, headers)
        },
      }),
      { 'platform.auth.secret-as-bearer': 'accepted' },
    ),
    'platform.secret.unknown-path-echoed The error for an unknown path repeats the URL with its query string.':
      changesResponse(
        (status, { url = '' }) => status >= 400 && url.includes('?'),
        (response, { url = '' }) => ({ ...response, headers: { ...response.headers, 'X-Request-Url': url } }),
      ),
  }),
  ...maskedByDefault(withoutSignatures, [
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
  ]),
]
