import { reject } from '../../defect-parts/reject.ts'
import { asks, textOf, withText } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { Defect } from './defect.ts'
import { queriesRejected } from './masks.ts'
import { type Asked, duringRequests, knowingKey } from './overrides.ts'

const isChange = ({ method }: Asked) => method !== 'GET'

/** A server that takes the key from the query string too, under this name. */
function readsQuery(name: string): Defect['override'] {
  return ({ splitTarget }) => ({
    readKeyElsewhere: (target) => new URLSearchParams(splitTarget(target).query).get(name) ?? undefined,
  })
}

/** A server to which the key headers are unknown where their names are spelled like this. */
function knowsNoName(isUnknown: (name: string) => boolean): Defect['override'] {
  return ({ unauthorized, errorBody, encodeJson }) => ({
    finish: (response, { rawHeaders }) => {
      if (!rawHeaders.some(isUnknown)) return response
      const { status, message } = unauthorized()
      return { ...response, status, body: encodeJson(errorBody(message, status)) }
    },
  })
}

function bearerNotFor(name: 'GET' | 'DELETE'): Defect {
  return {
    id: `header.bearer-not-for-${name.toLowerCase()}`,
    breaks: ['plugin.auth.bearer'],
    summary: `${name} ignores Authorization.`,
    override: duringRequests(
      ({ method }) => method === name,
      ({ readAuthorizationHeader }, isAsked) => ({
        readAuthorizationHeader: (headers) => (isAsked() ? undefined : readAuthorizationHeader(headers)),
      }),
    ),
  }
}

/** Clause 5: where the key is looked for, and where it must not be shown. */
export const headerDefects: readonly Defect[] = [
  {
    id: 'header.x-api-key-unknown',
    breaks: ['plugin.auth.x-api-key'],
    summary: 'X-API-Key is ignored.',
    override: () => ({ readApiKeyHeader: () => undefined }),
  },
  {
    id: 'header.x-api-key-for-reading-only',
    breaks: ['plugin.auth.x-api-key'],
    summary: 'X-API-Key is accepted only for GET; changes require Authorization.',
    override: duringRequests(
      ({ method }) => method === 'GET',
      ({ readApiKeyHeader }, isGet) => ({
        readApiKeyHeader: (headers) => (isGet() ? readApiKeyHeader(headers) : undefined),
      }),
    ),
  },
  bearerNotFor('GET'),
  bearerNotFor('DELETE'),
  {
    id: 'header.one-of-two-only',
    breaks: ['plugin.auth.both-headers'],
    summary: 'A request with both headers is rejected.',
    override: ({ acceptsCredentials }) => ({
      acceptsCredentials: (given, isRight) =>
        (given.apiKey === undefined || given.bearer === undefined) && acceptsCredentials(given, isRight),
    }),
  },
  {
    id: 'header.two-are-enough',
    breaks: ['plugin.auth.reads-need-key'],
    summary: 'With both headers no key is checked.',
    override: ({ acceptsCredentials }) => ({
      acceptsCredentials: (given, isRight) =>
        (given.apiKey !== undefined && given.bearer !== undefined) || acceptsCredentials(given, isRight),
    }),
  },
  ...['X-API-Key', 'Authorization'].flatMap((name): readonly Defect[] => [
    {
      id: `header.${name.toLowerCase()}-compared-with-case`,
      breaks: ['plugin.auth.header-name-case'],
      summary: `The name ${name} is case-sensitive.`,
      override: knowsNoName((sent) => sent.toLowerCase() === name.toLowerCase() && sent !== name),
    },
    {
      id: `header.${name.toLowerCase()}-in-upper-case-unknown`,
      breaks: ['plugin.auth.header-name-case'],
      summary: `The name ${name} is unknown in upper case.`,
      override: knowsNoName((sent) => sent === name.toUpperCase()),
    },
  ]),
  {
    id: 'header.names-in-lower-case-unknown',
    breaks: ['plugin.auth.header-name-case'],
    summary: 'The names of the key headers are unknown in lower case, as proxies for HTTP/2 write them.',
    override: knowsNoName((sent) => ['x-api-key', 'authorization'].includes(sent)),
  },
  {
    id: 'header.key-in-query',
    breaks: ['plugin.auth.only-the-headers'],
    maskedBy: queriesRejected,
    summary: 'The key is also accepted in the query string.',
    override: readsQuery('api_key'),
  },
  {
    id: 'header.key-in-cookie',
    breaks: ['plugin.auth.only-the-headers'],
    summary: 'The key is also accepted in a cookie.',
    override: () => ({ readKeyElsewhere: (_, { cookie }) => /api_key=([^;]+)/.exec(cookie ?? '')?.[1] }),
  },
  {
    id: 'header.key-in-similar-header',
    breaks: ['plugin.auth.only-the-headers'],
    summary: 'The key is accepted in any header whose name ends in api-key.',
    override: () => ({ readKeyElsewhere: (_, headers) => headers['api-key']?.toString() }),
  },
  {
    id: 'header.authorization-without-scheme',
    breaks: ['plugin.auth.only-the-headers'],
    summary: 'The last word of Authorization is the key, regardless of the scheme.',
    override: () => ({ readAuthorizationHeader: ({ authorization }) => authorization?.split(' ').at(-1) || undefined }),
  },
  {
    id: 'header.seven-letters-skipped',
    breaks: ['plugin.auth.only-the-headers'],
    summary: 'Bearer is accepted without a space after it.',
    override: () => ({ readAuthorizationHeader: ({ authorization = '' }) => /^Bearer *(.+)/.exec(authorization)?.[1] }),
  },
  {
    id: 'header.basic-accepted',
    breaks: ['plugin.auth.only-the-headers'],
    summary: 'The password of Basic authentication is accepted as the key.',
    override: ({ readAuthorizationHeader }) => ({
      readAuthorizationHeader: (headers) => {
        const basic = /^Basic (.+)/.exec(headers.authorization ?? '')?.[1]
        if (basic === undefined) return readAuthorizationHeader(headers)
        return Buffer.from(basic, 'base64').toString().split(':')[1] || undefined
      },
    }),
  },
  {
    id: 'header.right-key-in-the-error',
    breaks: ['plugin.auth.key-not-repeated'],
    summary: 'The error text of a 401 contains the expected key.',
    override: knowingKey(({ unauthorized }, key) => ({
      unauthorized: () => new ErrorResponse(401, `${unauthorized().message} Expected: ${key()}`),
    })),
  },
  {
    id: 'header.repeated-in-404',
    breaks: ['plugin.auth.key-not-repeated'],
    summary: 'The response to an unknown path contains the request with its headers.',
    override: () => ({
      finish: (response, request) =>
        response.status === 404 && !asks(request, 'DELETE')
          ? withText(response, JSON.stringify({ error: 'Unknown endpoint.', request: request.headers }))
          : response,
    }),
  },
  {
    id: 'header.one-of-two-only-for-changes',
    breaks: ['plugin.auth.both-headers'],
    summary: 'A change with both headers is rejected.',
    override: duringRequests(isChange, ({ acceptsCredentials }, isCurrent) => ({
      acceptsCredentials: (given, isRight) =>
        !(isCurrent() && given.apiKey !== undefined && given.bearer !== undefined) &&
        acceptsCredentials(given, isRight),
    })),
  },
  {
    id: 'header.key-in-query-for-changes',
    breaks: ['plugin.auth.only-the-headers'],
    maskedBy: queriesRejected,
    summary: 'Changes also accept the key in the query string.',
    override: duringRequests(isChange, (hooks, isCurrent) => {
      const { readKeyElsewhere } = readsQuery('api_key')(hooks)
      return {
        readKeyElsewhere: (target, headers) => (isCurrent() ? readKeyElsewhere?.(target, headers) : undefined),
      }
    }),
  },
  {
    id: 'header.key-in-body',
    breaks: ['plugin.auth.only-the-headers'],
    maskedBy: [{ answers: { 'plugin.body.unknown-member': 'refused' } }],
    summary: 'POST also accepts a body with the member api_key.',
    override: ({ asksForKey, acceptsCredentials, membersOf }) => {
      let isPost = false
      let lacksKey = false
      return {
        asksForKey: (asked) => {
          isPost = asked.method === 'POST'
          return asksForKey(asked)
        },
        acceptsCredentials: (given, isRight) => {
          const isAccepted = acceptsCredentials(given, isRight)
          lacksKey = !isAccepted && isPost
          return isAccepted || isPost
        },
        // The body is read after the key is checked.
        membersOf: (value) => {
          const members = membersOf(value)
          return lacksKey && !('api_key' in members) ? reject(401, 'The key is missing.') : members
        },
      }
    },
  },
  {
    id: 'header.key-in-query-as-header-name',
    breaks: ['plugin.auth.only-the-headers'],
    maskedBy: queriesRejected,
    summary: 'The key is also accepted in the query parameter X-API-Key.',
    override: readsQuery('X-API-Key'),
  },
  {
    id: 'header.right-key-in-the-405',
    breaks: ['plugin.auth.key-not-repeated'],
    summary: 'The error text of a 405 for /api/rules contains the key.',
    override: knowingKey(({ encodeJson }, key) => ({
      finish: (response, request) =>
        response.status === 405 && request.url === '/api/rules'
          ? { ...response, body: encodeJson({ error: `Not allowed for ${key()}.` }) }
          : response,
    })),
  },
  {
    id: 'header.encoded-key-in-the-401',
    breaks: ['plugin.auth.key-not-repeated'],
    summary: 'The error text of a 401 contains the expected key in base64.',
    override: knowingKey(({ unauthorized }, key) => ({
      unauthorized: () => new ErrorResponse(401, `${unauthorized().message} ${Buffer.from(key()).toString('base64')}`),
    })),
  },
  {
    id: 'header.right-key-in-the-added',
    breaks: ['plugin.auth.key-not-repeated'],
    summary: 'The response to a POST contains the key.',
    override: knowingKey((_, key) => ({
      finish: (response, request) =>
        response.status === 201 && asks(request, 'POST')
          ? { ...response, body: Buffer.from(textOf(response).replace(/}$/, `,"by":"${key()}"}`)) }
          : response,
    })),
  },
  {
    id: 'header.local-client-needs-no-key',
    breaks: ['plugin.auth.reads-need-key', 'plugin.auth.changes-need-key'],
    summary: 'A request with X-Forwarded-For: 127.0.0.1 needs no key.',
    override: ({ readApiKeyHeader, acceptsCredentials }) => {
      let isLocal = false
      return {
        readApiKeyHeader: (headers) => {
          isLocal = headers['x-forwarded-for'] === '127.0.0.1'
          return readApiKeyHeader(headers)
        },
        acceptsCredentials: (given, isRight) => isLocal || acceptsCredentials(given, isRight),
      }
    },
  },
]
