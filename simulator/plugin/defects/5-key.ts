import type { IncomingMessage } from 'node:http'
import type { Hooks } from '../hooks/hooks.ts'
import type { Defect } from './defect.ts'
import { queriesRejected } from './masks.ts'
import type { Asked } from './overrides.ts'

/** Serves these requests without the right key too, and knows afterwards which of them lacked it. */
export function servingUnauthenticated(
  { asksForKey, readApiKeyHeader, acceptsCredentials }: Hooks,
  serves: (asked: Asked) => boolean,
) {
  const unauthenticated = new WeakSet<object>()
  let current: { readonly isServed: boolean; readonly headers: object } = { isServed: false, headers: {} }
  return {
    asksForKey: (asked: Asked) => {
      current = { isServed: serves(asked), headers: {} }
      return asksForKey(asked)
    },
    readApiKeyHeader: (headers: IncomingMessage['headers']) => {
      current = { ...current, headers }
      return readApiKeyHeader(headers)
    },
    acceptsCredentials: (...given: Parameters<typeof acceptsCredentials>) => {
      const isRight = acceptsCredentials(...given)
      if (!isRight && current.isServed) unauthenticated.add(current.headers)
      return isRight || current.isServed
    },
    isUnauthenticated: ({ headers }: IncomingMessage) => unauthenticated.has(headers),
  }
}

/** A server that needs no key where the target is spelled like this. */
function openFor(spelling: RegExp): Defect['override'] {
  return ({ readKeyElsewhere, acceptsCredentials }) => {
    let isOpen = false
    return {
      readKeyElsewhere: (target, headers) => {
        isOpen = spelling.test(target)
        return readKeyElsewhere(target, headers)
      },
      acceptsCredentials: (given, isRight) =>
        (given.apiKey === undefined && isOpen) || acceptsCredentials(given, isRight),
    }
  }
}

const operations = ['plugin.auth.reads-need-key', 'plugin.auth.changes-need-key'] as const

/** Clause 5: which keys are right, and what happens where the right one is missing. */
export const keyDefects: readonly Defect[] = [
  {
    id: 'key.compared-up-to-its-own-length',
    breaks: ['plugin.auth.whole-key'],
    summary: 'A key that begins with the correct key is accepted.',
    override: () => ({ sameKey: (given, key) => key !== '' && given.startsWith(key) }),
  },
  {
    id: 'key.compared-up-to-the-given-length',
    breaks: ['plugin.auth.whole-key'],
    summary: 'A prefix of the key is accepted.',
    override: () => ({ sameKey: (given, key) => given !== '' && key.startsWith(given) }),
  },
  {
    id: 'key.bearer-compared-up-to-the-given-length',
    breaks: ['plugin.auth.whole-key'],
    summary: 'A prefix of the key is accepted as a Bearer token.',
    override: ({ acceptsCredentials, sameKey }) => {
      let isBearer = false
      return {
        acceptsCredentials: (given, isRight) => {
          isBearer = given.apiKey === undefined
          return acceptsCredentials(given, isRight)
        },
        sameKey: (given, key) => sameKey(given, key) || (isBearer && given !== '' && key.startsWith(given)),
      }
    },
  },
  {
    id: 'key.first-four-letters-compared',
    breaks: ['plugin.auth.whole-key', 'plugin.auth.key-from-parameter'],
    summary: 'Only the first four characters of a key are compared.',
    override: () => ({ sameKey: (given, key) => key !== '' && given.slice(0, 4) === key.slice(0, 4) }),
  },
  {
    id: 'key.case-ignored',
    breaks: ['plugin.auth.whole-key'],
    summary: 'The key is case-insensitive.',
    override: ({ sameKey }) => ({ sameKey: (given, key) => sameKey(given.toLowerCase(), key.toLowerCase()) }),
  },
  {
    id: 'key.last-letter-not-compared',
    breaks: ['plugin.auth.whole-key'],
    summary: 'The last character of the key is not compared.',
    override: () => ({
      sameKey: (given, key) => key !== '' && given.length === key.length && given.startsWith(key.slice(0, -1)),
    }),
  },
  {
    id: 'key.ends-at-tilde',
    breaks: ['plugin.auth.key-from-parameter'],
    summary: 'A Bearer token ends at ~.',
    override: ({ readAuthorizationHeader }) => ({
      readAuthorizationHeader: (headers) => readAuthorizationHeader(headers)?.split('~')[0],
    }),
  },
  {
    id: 'key.decoded-like-a-url',
    breaks: ['plugin.auth.key-from-parameter'],
    summary: 'A plus in X-API-Key is decoded as a space.',
    override: ({ readApiKeyHeader }) => ({
      readApiKeyHeader: (headers) => readApiKeyHeader(headers)?.replaceAll('+', ' '),
    }),
  },
  {
    id: 'key.empty-begins-every-key',
    breaks: ['plugin.auth.reads-need-key'],
    summary: 'An empty key is accepted.',
    override: ({ readApiKeyHeader }) => ({
      readApiKeyHeader: (headers) => readApiKeyHeader(headers) ?? headers['x-api-key']?.toString(),
      sameKey: (given, key) => (given === '' ? key !== '' : given === key),
    }),
  },
  {
    id: 'key.bearer-alone-is-enough',
    breaks: ['plugin.auth.reads-need-key'],
    summary: 'Bearer without a key is accepted.',
    override: ({ acceptsCredentials, readAuthorizationHeader }) => {
      let alone = false
      return {
        readAuthorizationHeader: (headers) => {
          alone = headers.authorization?.trim() === 'Bearer'
          return readAuthorizationHeader(headers)
        },
        acceptsCredentials: (given, isRight) => alone || acceptsCredentials(given, isRight),
      }
    },
  },
  {
    id: 'key.status-open',
    breaks: ['plugin.auth.reads-need-key'],
    summary: 'GET /api/status requires no key.',
    override: () => ({ asksForKey: ({ path }) => path !== '/api/status' }),
  },
  {
    id: 'key.list-open',
    breaks: ['plugin.auth.reads-need-key'],
    summary: 'GET /api/rules requires no key.',
    override: () => ({ asksForKey: ({ method, path }) => !(method === 'GET' && path === '/api/rules') }),
  },
  {
    id: 'key.list-shown-with-401',
    breaks: ['plugin.auth.reads-need-key'],
    summary: 'GET /api/rules without a key returns 401 with the list.',
    override: (hooks) => {
      const { isUnauthenticated, ...lettingIn } = servingUnauthenticated(
        hooks,
        ({ method, path }) => `${method} ${path}` === 'GET /api/rules',
      )
      return {
        ...lettingIn,
        finish: (response, request) => (isUnauthenticated(request) ? { ...response, status: 401 } : response),
      }
    },
  },
  {
    id: 'key.add-open',
    breaks: ['plugin.auth.changes-need-key'],
    summary: 'POST requires no key.',
    override: () => ({ asksForKey: ({ method }) => method !== 'POST' }),
  },
  {
    id: 'key.delete-open',
    breaks: ['plugin.auth.changes-need-key'],
    summary: 'DELETE requires no key.',
    override: () => ({ asksForKey: ({ method }) => method !== 'DELETE' }),
  },
  {
    id: 'key.not-needed-with-a-query',
    breaks: operations,
    maskedBy: [
      { answers: { 'plugin.path.query': 'unknown' }, from: ['plugin.auth.reads-need-key'] },
      { answers: { 'plugin.path.query': 'refused' }, from: ['plugin.auth.reads-need-key'] },
      ...queriesRejected,
    ],
    summary: 'A path with a query string requires no key.',
    override: openFor(/\?/),
  },
  {
    id: 'key.not-needed-with-an-encoded-path',
    breaks: operations,
    maskedBy: [{ answers: { 'plugin.path.percent-encoding': 'literal' } }],
    summary: 'The key is required only where the path begins with /api/ before it is decoded.',
    override: openFor(/^(?!\/api\/)/),
  },
  {
    id: 'key.checked-after-the-change',
    breaks: ['plugin.auth.changes-need-key'],
    summary: 'A change without the correct key returns 401, but is made.',
    override: (hooks) => {
      const { isUnauthenticated, ...lettingIn } = servingUnauthenticated(hooks, () => true)
      const { status, message } = hooks.unauthorized()
      const body = hooks.encodeJson(hooks.errorBody(message, status))
      return {
        ...lettingIn,
        finish: (response, request) => (isUnauthenticated(request) ? { ...response, status, body } : response),
      }
    },
  },
]
