import type { IncomingMessage } from 'node:http'
import { combine } from '../../defect-parts/combine.ts'
import { withStatus } from '../../defect-parts/wire.ts'
import type { HttpResponse } from '../../server/response.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type Defect, type Mask, masked, rows } from './defect.ts'
import type { Mutation, Right } from './known.ts'
import { pathQueriesRejected, queriesRejected } from './masks.ts'
import {
  type Asked,
  argument,
  asUnauthorized,
  authorizes,
  compares,
  instead,
  isFor,
  needsNoKey,
  responds,
  result,
  rewrites,
} from './overrides.ts'

/** A server that serves these requests without the correct key too, but changes the responses. */
function servesWithoutKey(
  serves: (asked: Asked) => boolean,
  change: (response: HttpResponse, request: IncomingMessage, hooks: Hooks) => HttpResponse,
): Mutation {
  return (hooks) => {
    const { known } = hooks
    const unauthenticated = new WeakSet<object>()
    return {
      acceptsCredentials: (given, isRight) => {
        const isAccepted = hooks.acceptsCredentials(given, isRight)
        if (!isAccepted && serves(known.request)) unauthenticated.add(known.headers)
        return isAccepted || serves(known.request)
      },
      finish: (response, request) =>
        unauthenticated.has(request.headers) ? change(response, request, hooks) : response,
    }
  }
}

/** A server that needs no key if the request target matches. */
const openFor = (spelling: RegExp) =>
  authorizes(({ apiKey }, isRight, { target }) => (apiKey === undefined && spelling.test(target)) || isRight())

/** A server that reads another Bearer token than was sent. */
const readsBearer = result('readAuthorizationHeader')

const isListing = isFor('GET /api/rules')

const sorted = (key: string) => [...key].toSorted().join('')

const isPrefix = (given: string, key: string) => given !== '' && key.startsWith(given)

type Headers = (apiKey: string | undefined, authorization: string | undefined) => boolean

/** A server that needs no key in these requests, for some contents of the two headers. */
function opens(isMeant: (asked: Asked) => boolean, isOpen: Headers): Mutation {
  return authorizes(
    (_, isRight, { request, headers }) =>
      (isMeant(request) && isOpen(headers['x-api-key']?.toString(), headers.authorization)) || isRight(),
  )
}

/** Clause 5: which keys are correct, also with two headers, and the response without a correct one. */
export const keyDefects: readonly Defect[] = [
  ...rows('plugin.auth.whole-key', {
    'key.character-order-ignored Only a sum of the characters is compared, so their order does not matter.': () =>
      compares((given, key) => sorted(given) === sorted(key)),
    'key.underscore-matches-any-character Keys are compared as in SQL LIKE, so an underscore matches any character.':
      compares(
        (given, key) => given.length === key.length && [...key].every((one, at) => one === '_' || one === given[at]),
      ),
    'key.buffer-overflow-accepted A key of more than 255 characters overflows its buffer and is accepted.': () =>
      compares((given, key) => given.length > 255 || given === key),
    'key.bearer-prefix-accepted A prefix of the key is accepted as a Bearer token.': authorizes(
      ({ apiKey, bearer }, isRight, known) =>
        isRight() || (apiKey === undefined && bearer !== undefined && known.key.startsWith(bearer)),
    ),
    'key.scheme-in-x-api-key-accepted The scheme Bearer in front of the key is accepted in X-API-Key.': () =>
      argument('sameKey')((given) => given.replace(/^Bearer /, '')),
    'key.case-insensitive The key is case-insensitive.': () =>
      instead('sameKey', ({ sameKey }, given, key) => sameKey(given.toLowerCase(), key.toLowerCase())),
    'key.prefix-accepted-for-delete DELETE accepts a prefix of the key.': compares(isPrefix, isFor('DELETE')),
    'key.prefix-accepted-for-post POST accepts a prefix of the key.': compares(isPrefix, isFor('POST')),
    'key.prefix-accepted-for-list GET /api/rules accepts a prefix of the key.': compares(isPrefix, isListing),
  }),
  ...rows('plugin.auth.changes-need-key', {
    'key.of-another-request-counts A key that another request sends while a body arrives counts for that body too.': (
      hooks,
    ) => ({
      asksForKey: (asked) => hooks.asksForKey(asked) && !isFor('POST /api/rules')(asked),
      parseJson: (text) => {
        // Those of the last request that has arrived, of any client.
        const sent = Object.values(hooks.known.headers).map((value) => String(value).split(' ').at(-1))
        if (!sent.includes(hooks.known.key)) throw hooks.unauthorized()
        return hooks.parseJson(text)
      },
    }),
    'key.post-needs-no-key POST requires no key.': needsNoKey(isFor('POST')),
    'key.delete-needs-no-key DELETE requires no key.': needsNoKey(isFor('DELETE')),
    'key.checked-after-change A change without the correct key returns 401, but is made.': () =>
      servesWithoutKey(() => true, asUnauthorized),
    'key.empty-accepted-for-delete DELETE accepts an empty key.': opens(isFor('DELETE'), (apiKey) => apiKey === ''),
    'header.empty-key-accepts-any-bearer With an empty X-API-Key, POST and DELETE accept any Bearer token.': () =>
      opens(isFor('POST', 'DELETE'), (apiKey, authorization = '') => apiKey === '' && /^Bearer ./.test(authorization)),
    'header.empty-bearer-accepts-any-key DELETE accepts any X-API-Key if Authorization is Bearer without a key.': () =>
      opens(isFor('DELETE'), (apiKey, authorization) => Boolean(apiKey) && authorization === 'Bearer'),
    'header.basic-accepts-any-key POST accepts any X-API-Key beside Basic authentication.': () =>
      opens(isFor('POST'), (apiKey, authorization = '') => Boolean(apiKey) && /^Basic /.test(authorization)),
  }),
  ...rows('plugin.auth.whole-key', compares, {
    'key.longer-key-accepted A key that begins with the right one is accepted.': (given, key) => given.startsWith(key),
    'key.prefix-accepted A prefix of the key is accepted.': isPrefix,
    'key.last-character-not-compared The last character of the key is not compared.': (given, key) =>
      given.length === key.length && given.startsWith(key.slice(0, -1)),
    'key.compared-in-64-bytes Only the first 64 characters of a key are compared.': (given, key) =>
      given.slice(0, 64) === key.slice(0, 64),
    'key.first-character-not-compared The first character of the key is not compared.': (given, key) =>
      given.length === key.length && given.slice(1) === key.slice(1),
    'key.list-of-keys-accepted A comma-separated list that contains the key is accepted.': (given, key) =>
      given.split(',').some((one) => one.trim() === key),
    'key.equals-signs-at-the-end-not-compared Equals signs at the end of a key are not compared.': (given, key) =>
      given.replace(/=+$/, '') === key.replace(/=+$/, ''),
    'key.compared-as-base64 Keys are compared as decoded base64, so - and + are the same, and / and _.': (given, key) =>
      Buffer.from(given, 'base64').equals(Buffer.from(key, 'base64')),
    'key.quoted-key-accepted A quoted key is accepted.': (given, key) => given.replace(/^"(.*)"$/, '$1') === key,
    'key.compared-as-number Keys of digits are compared as numbers.': (given, key) =>
      given === key || (/^\d+$/.test(given + key) && BigInt(given) === BigInt(key)),
    'key.length-compared-in-eight-bits A key that begins with the correct one and is 256 characters longer is accepted.':
      (given, key) => given.startsWith(key) && (given.length - key.length) % 256 === 0,
    'key.undefined-accepted The text undefined is accepted as the key.': (given, key) =>
      given === 'undefined' || given === key,
  }),
  ...rows(['plugin.auth.whole-key', 'plugin.auth.key-from-parameter'], {
    'key.only-four-characters-compared Only the first four characters of a key are compared.': () =>
      compares((given, key) => given.slice(0, 4) === key.slice(0, 4)),
  }),
  ...rows('plugin.auth.key-from-parameter', {
    'key.truncated-at-tilde A Bearer token ends at ~.': readsBearer((token) => token?.split('~')[0]),
    'key.bearer-plus-decoded-as-space A plus in a Bearer token is decoded as a space.': () =>
      readsBearer((token) => token?.replaceAll('+', ' ')),
    'key.plus-decoded-as-space A plus in X-API-Key is decoded as a space.': () =>
      result('readApiKeyHeader')((key) => key?.replaceAll('+', ' ')),
  }),
  ...rows('plugin.auth.reads-need-key', {
    'key.not-needed-with-http-1.0 A GET with HTTP/1.0 and without the key returns 200.': responds(
      (status, { method, httpVersion }) => status === 401 && method === 'GET' && httpVersion === '1.0',
      withStatus(200),
    ),
    'key.not-needed-with-a-url A target with the URL of the server in front of the path requires no key.':
      openFor(/^http/),
    'key.empty-accepted An empty key is accepted.': ({ readApiKeyHeader }) => ({
      readApiKeyHeader: (headers) => readApiKeyHeader(headers) ?? headers['x-api-key']?.toString(),
      sameKey: (given, key) => (given === '' ? key !== '' : given === key),
    }),
    'key.bearer-without-key-accepted Bearer without a key is accepted.': () =>
      authorizes((_, isRight, { headers }) => headers.authorization?.trim() === 'Bearer' || isRight()),
    'key.status-needs-no-key GET /api/status requires no key.': needsNoKey(({ path }) => path === '/api/status'),
    'key.head-needs-no-key HEAD /api/rules requires no key.': masked({
      'plugin.method.head': '405',
    })(needsNoKey(isFor('HEAD /api/rules'))),
    'key.list-needs-no-key GET /api/rules requires no key.': needsNoKey(isListing),
    'key.list-shown-with-401 Without a key the list is sent with 401.': servesWithoutKey(isListing, withStatus(401)),
    'header.empty-authorization-accepted GET requires no key if Authorization is empty.': () =>
      opens(isFor('GET'), (apiKey, authorization) => apiKey === undefined && authorization === ''),
  }),
  ...rows(['plugin.auth.reads-need-key', 'plugin.auth.changes-need-key'], {
    'header.local-client-needs-no-key A request with X-Forwarded-For: 127.0.0.1 needs no key.': () =>
      authorizes((_, isRight, { headers }) => headers['x-forwarded-for'] === '127.0.0.1' || isRight()),
    'key.not-needed-with-a-query A path with a query string requires no key.': masked([
      ...pathQueriesRejected.map((mask): Mask => ({ ...mask, from: ['plugin.auth.reads-need-key'] })),
      ...queriesRejected,
    ])(openFor(/\?/)),
    'key.not-needed-with-an-encoded-path The key is required only where the path begins with /api/ before it is decoded.':
      masked({ 'plugin.path.percent-encoding': 'literal' })(openFor(/^\/(?!api\/)/)),
    'key.not-needed-with-a-path-in-upper-case Paths are compared without case, but the key is required only for those in lower case.':
      combine<Right>([
        instead('sameSegment', ({ sameSegment }, segment, known) => sameSegment(segment.toLowerCase(), known)),
        openFor(/^\/API\//),
      ]),
    'key.not-needed-with-two-slashes Two slashes in a path count as one, but only after the key was required by the path as sent.':
      combine<Right>([rewrites((path) => path.replaceAll('//', '/')), openFor(/^\/api\/\//)]),
    'key.not-needed-with-a-slash-at-the-end A slash at the end of a path is ignored, and such a path requires no key.':
      combine<Right>([rewrites((path) => path.replace(/(?<=.)\/$/, '')), openFor(/\/$/)]),
    'key.empty-accepted-for-post-and-list POST and GET /api/rules accept an empty key.': opens(
      ({ method, path }) => path === '/api/rules' && method !== 'DELETE',
      (apiKey) => apiKey === '',
    ),
    'header.equal-keys-accepted Any key is accepted if both headers hold the same one.': opens(
      isFor('GET', 'POST', 'DELETE'),
      (apiKey, authorization) => apiKey !== undefined && authorization === `Bearer ${apiKey}`,
    ),
  }),
]
