import { after } from '../../defect-parts/events.ts'
import { fail, withMembers, withStatus } from '../../defect-parts/wire.ts'
import type { ReceivedRequest } from '../../server/receive.ts'
import { ErrorResponse } from '../../server/response.ts'
import { CodedErrorResponse } from '../coded-error-response.ts'
import type { PlatformHooks } from '../hooks/hooks.ts'
import { masked, type PlatformDefect, rows } from './defect.ts'
import { withoutBody, withoutHead, withoutList, withoutSignatures, withoutSlash, withStrictMembers } from './masks.ts'
import {
  argument,
  instead,
  isWithoutKey,
  listsAccount,
  type Mutation,
  needsNoKey,
  on,
  responds,
  result,
  returnsAccount,
} from './overrides.ts'

/** A server that rejects some valid requests as if the key were wrong. */
function rejectsValidKeys({ errorBody }: PlatformHooks) {
  const { body, type } = errorBody({ status: 401, code: 'invalid_api_key', message: 'The API key is wrong.' })
  return { status: 401, body, headers: { 'Content-Type': type } }
}

/** A server that also reads the key from another part of a request. */
const elsewhere = (read: (received: ReceivedRequest) => string | undefined) =>
  result('readKeyElsewhere')((key, [received]) => key ?? read(received))

/** A server that compares keys differently. */
const compares =
  (sameKey: PlatformHooks['sameKey']): Mutation =>
  () => ({ sameKey })

/** A server that does not know the header of the key in some spellings. */
const ignoresHeader =
  (isIgnored: (name: string) => boolean) =>
  (hooks: PlatformHooks): Partial<PlatformHooks> => ({
    finish: (response, { rawHeaders }) =>
      rawHeaders.some((name) => /^authorization$/i.test(name) && isIgnored(name)) ? rejectsValidKeys(hooks) : response,
  })

const isPostWithoutKey = (asked: Parameters<typeof isWithoutKey>[0] & { readonly method?: string | undefined }) =>
  asked.method === 'POST' && isWithoutKey(asked)

/** Clause 5: which keys are valid, the response without a valid key, and where a secret must not appear. */
export const keyDefects: readonly PlatformDefect[] = [
  ...rows('platform.auth.account-needs-key', compares, {
    'platform.key.longer-key-accepted A key that begins with the correct key is accepted.': (given, key) =>
      given.startsWith(key),
    'platform.key.prefix-accepted A prefix of the key is accepted.': (given, key) => key.startsWith(given),
    'platform.key.case-insensitive The key is case-insensitive.': (given, key) =>
      given.toLowerCase() === key.toLowerCase(),
    'platform.key.last-character-not-compared The last character of the key is not compared.': (given, key) =>
      given.length === key.length && given.slice(0, -1) === key.slice(0, -1),
  }),
  ...rows('platform.auth.account-needs-key', needsNoKey, {
    'platform.key.account-needs-no-key GET of the account requires no key.': (received) =>
      isWithoutKey(received) && received.path.endsWith('/account'),
    'platform.key.bearer-without-key-accepted Bearer without a key is accepted.': ({ headers }) =>
      headers.authorization?.trim().toLowerCase() === 'bearer',
    'platform.key.head-needs-no-key HEAD requires no key.': masked(withoutHead)(
      needsNoKey(({ method }) => method === 'HEAD'),
    ),
    'platform.key.slash-at-the-end-needs-no-key A path with a slash at its end requires no key.': masked(withoutSlash)(
      needsNoKey(({ path }) => path.endsWith('/')),
    ),
  }),
  ...rows('platform.auth.account-needs-key', {
    'platform.key.decoded-and-cut-at-nul The key is decoded from base64 or a URL, without = and NUL at its end.': () =>
      compares((given, key) => given.replace(/(?:=|%00)+$/, '') === key),
    'platform.key.read-from-the-query The key is also accepted in the query string.': masked({
      'platform.path.query': '400',
    })(elsewhere(({ query }) => [...new URLSearchParams(query).values()].find((value) => value !== ''))),
    'platform.key.read-from-a-cookie The key is also accepted in a cookie.': () =>
      elsewhere(({ headers }) => /=([^;]+)/.exec(headers.cookie ?? '')?.[1]),
    'platform.key.any-scheme The last word of Authorization is the key, regardless of the scheme.': () =>
      instead('readBearer', (_, { authorization }) => authorization?.split(' ').at(-1)),
  }),
  ...rows(['platform.auth.account-needs-key', 'platform.auth.create-needs-key'], {
    'platform.key.only-checked-if-sent A key is checked only if it is sent.': needsNoKey(isWithoutKey),
    'platform.key.any-key-accepted Any key opens the account of the first key.': compares(() => true),
    'platform.key.text-after-colon-accepted The key is compared up to a colon.': () =>
      compares((given, key) => given.split(':')[0] === key),
    'platform.key.semicolon-in-path-needs-no-key Whatever follows ; in a path is ignored, and such a request requires no key.':
      ({ asksForKey, sameSegment }) => ({
        asksForKey: (received) => asksForKey(received) && !received.target.includes(';'),
        sameSegment: (given, known) => sameSegment(given.replace(/;.*/, ''), known),
      }),
    'platform.key.long-key-accepted Any key of more than 1,000 characters is accepted.': () =>
      compares((given, key) => given === key || given.length > 1000),
    'platform.key.http-1.0-needs-no-key HTTP/1.0 requires no key.': () =>
      needsNoKey(({ httpVersion }) => httpVersion === '1.0'),
    'platform.key.url-as-target-needs-no-key A request with the whole URL as its target requires no key.': masked([
      {
        answers: { 'platform.list.path': 'none', 'platform.create.body': 'empty' },
        from: ['platform.auth.create-needs-key'],
      },
    ])(needsNoKey(({ target }) => !target.startsWith('/'))),
  }),
  ...rows('platform.auth.create-needs-key', {
    'platform.key.compared-by-length-for-post POST accepts any key that is as long as the correct one.': () =>
      result('sameKey')(
        (isSame, [given, key], { received }) => isSame || (received?.method === 'POST' && given.length === key.length),
      ),
    'platform.key.any-scheme-for-post POST takes the last word of Authorization for the key, regardless of the scheme.':
      () =>
        result('readBearer')((key, [{ authorization }], { received }) =>
          received?.method === 'POST' ? authorization?.split(' ').at(-1) : key,
        ),
    'platform.key.create-needs-no-key POST requires no key.': needsNoKey(({ method }) => method === 'POST'),
    'platform.key.checked-after-creation A creation without a key returns 401, but is made.': masked(withoutList)(
      (right) => ({
        ...needsNoKey(isPostWithoutKey)(right),
        finish: (response, request) => (isPostWithoutKey(request) ? rejectsValidKeys(right) : response),
      }),
    ),
    'platform.key.read-from-the-body The key is also accepted in the body of a creation.': masked(withStrictMembers)(
      (right) => ({
        ...needsNoKey(isPostWithoutKey)(right),
        membersOf: (value) => {
          const { received } = right.known
          const isKeyless = received !== undefined && isPostWithoutKey(received)
          if (isKeyless && !('api_key' in Object(value))) throw right.missingKey()
          return right.membersOf(value)
        },
      }),
    ),
    'platform.key.chunked-creation-needs-no-key A creation with a chunked body requires no key.': () =>
      needsNoKey(({ headers }) => headers['transfer-encoding'] !== undefined),
    'platform.key.creation-without-key-returns-201 A creation without a key returns 201, but creates nothing.':
      responds((_, request) => isPostWithoutKey(request), withStatus(201)),
  }),
  ...rows('platform.auth.case-insensitive', ignoresHeader, {
    'platform.key.header-name-case-sensitive The header name Authorization is case-sensitive.': (name) =>
      name !== 'Authorization',
    'platform.key.header-name-in-upper-case-ignored The header name AUTHORIZATION is not known.': (name) =>
      name === 'AUTHORIZATION',
  }),
  ...rows('platform.auth.client-error', {
    'platform.key.wrong-returns-500 A wrong key returns 500.': () =>
      instead('wrongKey', () => new ErrorResponse(500, 'Internal server error.')),
    'platform.key.other-letters-return-500 A key with a letter outside of ASCII returns 500.': () =>
      argument('readBearer')((headers) => (/[^ -~]/.test(headers.authorization ?? '') ? fail() : headers)),
    'platform.key.missing-redirected A request without a key is redirected to a login form.': () =>
      instead('missingKey', () => new ErrorResponse(302, 'Log in.', { Location: '/login' })),
  }),
  ...rows('platform.auth.works-after-refusal', {
    'platform.key.locked-after-wrong-key After one wrong key every key is rejected.': () =>
      after(on('wrongKey'), ({ wrongKey }) => ({ judgeKey: () => wrongKey('') })),
  }),
  ...rows('platform.secret.not-shown', {
    'platform.secret.in-account The account contains the secret.': () =>
      returnsAccount((_, { secret }) => ({ api_secret: secret })),
    'platform.secret.in-signature-error The error for a wrong signature contains the secret.': masked(
      withoutSignatures,
    )(
      result('wrongSignature')(
        ({ status }, [reason], { secret }) =>
          new CodedErrorResponse(status, 'invalid_signature', `${reason} The secret is ${secret}.`),
      ),
    ),
    'platform.secret.in-method-error The error for a method that is not allowed contains the secret.': masked([
      { answers: { 'platform.method.options': '204' } },
      { answers: { 'platform.method.options': '200' } },
    ])(
      result('methodNotAllowed')(
        ({ status, headers }, _, { secret }) => new ErrorResponse(status, `The secret is ${secret}.`, headers),
      ),
    ),
    'platform.secret.in-creation-response The response to a creation contains the secret of its key.': masked(
      withoutBody,
    )(result('createdBody')((body, _, { secret }) => body && withMembers(body, { api_secret: secret }))),
    'platform.secret.in-list Each account of the list contains the secret of its key.': masked(withoutList)(
      listsAccount((_, { secret }) => ({ api_secret: secret })),
    ),
  }),
  ...rows('platform.secret.not-repeated', {
    'platform.secret.wrong-key-echoed The error for a wrong key repeats the key.': masked({
      'platform.auth.secret-as-bearer': 'accepted',
    })(
      result('wrongKey')(
        ({ status, headers }, [given]) =>
          new CodedErrorResponse(status, 'invalid_api_key', `The API key ${given} is wrong.`, headers),
      ),
    ),
    'platform.secret.unknown-path-echoed The error for an unknown path repeats the URL with its query string.':
      responds(
        (status, { url = '' }) => status >= 400 && url.includes('?'),
        (response, { url = '' }) => ({ ...response, headers: { ...response.headers, 'X-Request-Url': url } }),
      ),
  }),
]
