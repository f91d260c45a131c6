import type { IncomingMessage } from 'node:http'
import { remembersConnection } from '../../defect-parts/connections.ts'
import { is, reject, textBecomes, withText } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/response.ts'
import type { Credentials } from '../hooks/authentication.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type Defect, masked, rows } from './defect.ts'
import type { Mutation } from './known.ts'
import { queriesRejected } from './masks.ts'
import { type Asked, argument, asUnauthorized, authorizes, instead, isFor, responds, result } from './overrides.ts'

const isChange = ({ method }: Asked) => method !== 'GET'

/** A server that also reads the key from the query string, in some requests. */
function readsQuery(isMeant: (asked: Asked) => boolean = () => true): Mutation {
  return instead('readKeyElsewhere', ({ splitTarget, known }, target) => {
    const query = new URLSearchParams(splitTarget(target).query)
    return isMeant(known.request) ? (query.get('api_key') ?? undefined) : undefined
  })
}

/** A server that does not recognise the key headers if their names are spelled like this. */
function ignoresHeaders(isUnknown: (name: string) => boolean): Mutation {
  return responds((_, { rawHeaders }) => rawHeaders.some(isUnknown), asUnauthorized)
}

/** The length of the head of a request with one space in front of each value. */
function usualHeadLength({ method, url, rawHeaders }: IncomingMessage): number {
  const separators = rawHeaders.length * ': '.length
  return `${method} ${url} HTTP/1.1\r\n\r\n`.length + rawHeaders.join('').length + separators
}

/** A server that rejects the first request on a connection if it is a GET with a head of another length. */
function misreadsHeads(isMisread: (difference: number) => boolean): Mutation {
  return remembersConnection(({ request, response, bytesRead }, before, hooks: Hooks) =>
    before.length === 0 && request.method === 'GET' && isMisread(bytesRead - usualHeadLength(request))
      ? asUnauthorized(response, request, hooks)
      : response,
  )
}

const hasBoth = ({ apiKey, bearer }: Credentials) => apiKey !== undefined && bearer !== undefined

/** A server that serves some requests although it is disabled. */
export const listensWhileDisabled =
  (wrong: Mutation): Mutation =>
  (right) => ({
    listensWhenDisabled: true,
    acceptsWhenDisabled: true,
    rejectWhenDisabled: () => undefined,
    ...wrong(right),
  })

/** Clause 5: where the key is read from, where it must not appear, and a server without a key. */
export const headerDefects: readonly Defect[] = [
  ...rows('plugin.auth.x-api-key', {
    'header.x-api-key-ignored X-API-Key is ignored.': result('readApiKeyHeader')(() => undefined),
    'header.x-api-key-only-for-get X-API-Key is accepted only for GET; changes require Authorization.': () =>
      result('readApiKeyHeader')((key, _, { request }) => (isChange(request) ? undefined : key)),
  }),
  ...rows('plugin.auth.both-headers', authorizes, {
    'header.both-headers-rejected Both headers at once are rejected.': (given, isRight) => !hasBoth(given) && isRight(),
    'header.both-headers-rejected-for-the-list GET /api/rules with both headers is rejected.': (
      given,
      isRight,
      { request },
    ) => !(isFor('GET /api/rules')(request) && hasBoth(given)) && isRight(),
    'header.both-headers-rejected-for-changes A change with both headers is rejected.': (given, isRight, { request }) =>
      !(isChange(request) && hasBoth(given)) && isRight(),
  }),
  ...rows('plugin.auth.header-name-case', ignoresHeaders, {
    'header.lower-case-names-ignored The names of the key headers are unknown in lower case, as proxies for HTTP/2 write them.':
      (sent) => ['x-api-key', 'authorization'].includes(sent),
    'header.x-api-key-case-sensitive The name X-API-Key is case-sensitive.': (sent) =>
      sent.toLowerCase() === 'x-api-key' && sent !== 'X-API-Key',
    'header.authorization-case-sensitive The name Authorization is case-sensitive.': (sent) =>
      sent.toLowerCase() === 'authorization' && sent !== 'Authorization',
    'header.authorization-in-upper-case-ignored The name Authorization is unknown in upper case.': (sent) =>
      sent === 'AUTHORIZATION',
  }),
  ...rows('plugin.http.any-framing', {
    'header.value-begins-two-characters-after-the-colon The value of a header is read from the second character after its colon.':
      misreadsHeads((difference) => difference < 0),
    'header.value-not-trimmed Further white space in front of the value of a header is read as part of it.':
      misreadsHeads((difference) => difference > 0),
  }),
  ...rows('plugin.auth.only-the-headers', {
    'header.key-in-query The key is also accepted in the query string.': masked(queriesRejected)(readsQuery()),
    'header.key-in-cookie The key is also accepted in a cookie.': () =>
      instead('readKeyElsewhere', (_, _target, { cookie = '' }) => /api_key=([^;]+)/.exec(cookie)?.[1]),
    'header.key-in-similar-header The key is accepted in any header whose name ends in api-key.': () =>
      instead('readKeyElsewhere', (_, _target, headers) => headers['api-key']?.toString()),
    'header.key-in-longer-header The key is accepted in any header whose name ends in x-api-key.': () =>
      instead('readKeyElsewhere', (_, _target, headers) => headers['proxy-x-api-key']?.toString()),
    'header.key-in-header-with-suffix The key is accepted in any header whose name begins with x-api-key.': () =>
      instead('readKeyElsewhere', (_, _target, headers) => headers['x-api-key-old']?.toString()),
    'header.last-word-of-bearer-accepted The last word after Bearer is the key.': () =>
      instead('readAuthorizationHeader', (_, { authorization = '' }) => /^Bearer .*?(\S+)$/.exec(authorization)?.[1]),
    'header.key-searched-in-all-headers X-API-Key is searched in the text of the headers, so the value of another one is accepted.':
      () => ({ readKeyElsewhere: (_given, headers) => /X-API-Key: (\S+)/.exec(Object.values(headers).join(' '))?.[1] }),
    'header.authorization-without-scheme The last word of Authorization is the key, regardless of the scheme.': () =>
      instead('readAuthorizationHeader', (_, { authorization }) => authorization?.split(' ').at(-1) || undefined),
    'header.bearer-without-space-accepted Bearer is accepted without a space after it.': () =>
      instead('readAuthorizationHeader', (_, { authorization = '' }) => /^Bearer *(.+)/.exec(authorization)?.[1]),
    'header.scheme-compared-by-prefix A scheme that begins with Bearer is accepted: BearerToken.': argument(
      'readAuthorizationHeader',
    )((headers) => {
      const { authorization = '', ...others } = headers
      return /^Bearer\w+ /.test(authorization)
        ? { ...others, authorization: authorization.replace(/^Bearer\w+/, 'Bearer') }
        : headers
    }),
    'header.basic-accepted The password of Basic authentication is accepted as the key.': (hooks) => ({
      readAuthorizationHeader: (headers) => {
        const basic = /^Basic (.+)/.exec(headers.authorization ?? '')?.[1]
        if (basic === undefined) return hooks.readAuthorizationHeader(headers)
        return Buffer.from(basic, 'base64').toString().split(':')[1] || undefined
      },
    }),
    'header.key-in-query-for-changes Changes also accept the key in the query string.': masked(queriesRejected)(
      readsQuery(isChange),
    ),
    'header.key-in-body POST also accepts a body with the member api_key.': masked({
      'plugin.body.unknown-member': 'refused',
    })(({ acceptsCredentials, membersOf, known }) => ({
      acceptsCredentials: (given, isRight) => acceptsCredentials(given, isRight) || known.request.method === 'POST',
      // The body is read after the key is checked.
      membersOf: (value) => {
        const members = membersOf(value)
        return known.isAuthorized || 'api_key' in members ? members : reject(401, 'The key is missing.')
      },
    })),
  }),
  ...rows('plugin.auth.key-not-repeated', {
    'header.echoed-in-404 The response to an unknown path contains the request with its headers.': responds(
      is(404, /^(?!DELETE)/),
      (response, { headers }) => withText(response, JSON.stringify({ error: 'Unknown endpoint.', request: headers })),
    ),
    'header.key-in-405 The error text of a 405 for /api/rules contains the key.': () =>
      responds(is(405, /^\w+ \/api\/rules$/), (response, _, { known, encodeJson }) => ({
        ...response,
        body: encodeJson({ error: `Not allowed for ${known.key}.` }),
      })),
    'header.encoded-key-in-401 The error text of a 401 contains the expected key in base64.': instead(
      'unauthorized',
      ({ unauthorized, known }) =>
        new ErrorResponse(401, `${unauthorized().message} ${Buffer.from(known.key).toString('base64')}`),
    ),
    'header.key-in-reason-phrase The reason phrase of a 401 contains the expected key.': () =>
      result('reasonPhrase')((phrase, [status], { key }) => (status === 401 ? `Expected ${key}` : phrase)),
    'header.key-in-post-response The response to a POST contains the key.': () =>
      responds(is(201, 'POST'), (response, _, { known }) =>
        textBecomes((text) => text.replace(/}$/, `,"by":"${known.key}"}`))(response),
      ),
  }),
  ...['GET', 'DELETE'].flatMap((name) =>
    rows('plugin.auth.bearer', {
      [`header.bearer-ignored-for-${name.toLowerCase()} ${name} ignores Authorization.`]: () =>
        result('readAuthorizationHeader')((bearer, _, { request }) => (request.method === name ? undefined : bearer)),
    }),
  ),
  ...rows('plugin.auth.disabled', listensWhileDisabled, {
    'disabled.empty-key-matches Without an API_Key an empty key is accepted.': () => ({
      acceptsCredentials: (given, isRight) => isRight(given.apiKey ?? given.bearer ?? ''),
      sameKey: (given, key) => given === key,
    }),
    'disabled.empty-x-api-key-matches Without an API_Key the header X-API-Key is accepted if it is sent empty.':
      () => ({
        sameKey: (given, key) => given === key,
        readApiKeyHeader: (headers) => headers['x-api-key']?.toString(),
      }),
    'disabled.empty-bearer-matches Without an API_Key an empty Bearer token is accepted.': (hooks) => ({
      sameKey: (given, key) => given === key,
      readAuthorizationHeader: (headers) =>
        headers.authorization?.trim() === 'Bearer' ? '' : hooks.readAuthorizationHeader(headers),
    }),
    'disabled.null-matches With an empty API_Key the key null is accepted, as by String.valueOf(null).': result(
      'sameKey',
    )((isSame, [given, key]) => (key === '' ? given === 'null' : isSame)),
    'disabled.any-key-matches With an empty API_Key any key is accepted.': result('sameKey')(
      (isSame, [, key]) => key === '' || isSame,
    ),
    'disabled.changes-still-work POST and DELETE need no key while the API is disabled.': () => ({
      asksForKey: ({ method }, key) => key !== '' || method === 'GET',
    }),
    'disabled.delete-still-works DELETE needs no key while the API is disabled.': () => ({
      asksForKey: ({ method }, key) => key !== '' || method !== 'DELETE',
    }),
    'disabled.open-by-default A missing API_Key does not disable the API; then no key is required.': (hooks) => ({
      rejectWhenDisabled: () => ('API_Key' in hooks.known.parameters ? hooks.rejectWhenDisabled() : undefined),
      asksForKey: (request) => 'API_Key' in hooks.known.parameters && hooks.asksForKey(request),
    }),
  }),
]
