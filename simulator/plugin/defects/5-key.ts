import type { HttpResponse } from '../../server/response.ts'
import type { Hooks, Override } from '../hooks/hooks.ts'
import { type Defect, rows } from './defect.ts'
import { knowing } from './known.ts'
import { queriesRejected } from './masks.ts'
import { type Asked, authorizes, compares } from './overrides.ts'

/** A server that serves these requests without the right key too, but changes the responses to those that lacked it. */
function servesWithoutKey(
  serves: (asked: Asked) => boolean,
  change: (response: HttpResponse, hooks: Hooks) => HttpResponse,
): Override {
  return knowing((hooks, known) => {
    const unauthenticated = new WeakSet<object>()
    return {
      acceptsCredentials: (given, isRight) => {
        const isAccepted = hooks.acceptsCredentials(given, isRight)
        if (!isAccepted && serves(known.request)) unauthenticated.add(known.headers)
        return isAccepted || serves(known.request)
      },
      finish: (response, { headers }) => (unauthenticated.has(headers) ? change(response, hooks) : response),
    }
  })
}

/** A server that needs no key where the target is spelled like this. */
function openFor(spelling: RegExp): Override {
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

const isListing = ({ method, path }: Asked) => `${method} ${path}` === 'GET /api/rules'

/** Clause 5: which keys are right, and what happens where the right one is missing. */
export const keyDefects: readonly Defect[] = [
  ...rows('plugin.auth.whole-key', {
    'key.compared-up-to-its-own-length': [
      'A key that begins with the correct key is accepted.',
      compares((given, key) => given.startsWith(key)),
    ],
    'key.compared-up-to-the-given-length': [
      'A prefix of the key is accepted.',
      compares((given, key) => given !== '' && key.startsWith(given)),
    ],
    'key.bearer-compared-up-to-the-given-length': [
      'A prefix of the key is accepted as a Bearer token.',
      authorizes(
        ({ apiKey, bearer }, isRight, known) =>
          isRight() || (apiKey === undefined && bearer !== undefined && known.key.startsWith(bearer)),
      ),
    ],
    'key.case-ignored': [
      'The key is case-insensitive.',
      ({ sameKey }) => ({ sameKey: (given, key) => sameKey(given.toLowerCase(), key.toLowerCase()) }),
    ],
    'key.last-letter-not-compared': [
      'The last character of the key is not compared.',
      compares((given, key) => given.length === key.length && given.startsWith(key.slice(0, -1))),
    ],
  }),
  ...rows(['plugin.auth.whole-key', 'plugin.auth.key-from-parameter'], {
    'key.first-four-letters-compared': [
      'Only the first four characters of a key are compared.',
      compares((given, key) => given.slice(0, 4) === key.slice(0, 4)),
    ],
  }),
  ...rows('plugin.auth.key-from-parameter', {
    'key.ends-at-tilde': [
      'A Bearer token ends at ~.',
      ({ readAuthorizationHeader }) => ({
        readAuthorizationHeader: (headers) => readAuthorizationHeader(headers)?.split('~')[0],
      }),
    ],
    'key.decoded-like-a-url': [
      'A plus in X-API-Key is decoded as a space.',
      ({ readApiKeyHeader }) => ({ readApiKeyHeader: (headers) => readApiKeyHeader(headers)?.replaceAll('+', ' ') }),
    ],
  }),
  ...rows('plugin.auth.reads-need-key', {
    'key.empty-begins-every-key': [
      'An empty key is accepted.',
      ({ readApiKeyHeader }) => ({
        readApiKeyHeader: (headers) => readApiKeyHeader(headers) ?? headers['x-api-key']?.toString(),
        sameKey: (given, key) => (given === '' ? key !== '' : given === key),
      }),
    ],
    'key.bearer-alone-is-enough': [
      'Bearer without a key is accepted.',
      authorizes((_, isRight, { headers }) => headers.authorization?.trim() === 'Bearer' || isRight()),
    ],
    'key.status-open': [
      'GET /api/status requires no key.',
      () => ({ asksForKey: ({ path }) => path !== '/api/status' }),
    ],
    'key.list-open': ['GET /api/rules requires no key.', () => ({ asksForKey: (asked) => !isListing(asked) })],
    'key.list-shown-with-401': [
      'GET /api/rules without a key returns 401 with the list.',
      servesWithoutKey(isListing, (response) => ({ ...response, status: 401 })),
    ],
  }),
  ...rows('plugin.auth.changes-need-key', {
    'key.add-open': ['POST requires no key.', () => ({ asksForKey: ({ method }) => method !== 'POST' })],
    'key.delete-open': ['DELETE requires no key.', () => ({ asksForKey: ({ method }) => method !== 'DELETE' })],
    'key.checked-after-the-change': [
      'A change without the correct key returns 401, but is made.',
      servesWithoutKey(
        () => true,
        (response, { unauthorized, errorBody, encodeJson }) => {
          const { status, message } = unauthorized()
          return { ...response, status, body: encodeJson(errorBody(message, status)) }
        },
      ),
    ],
  }),
  ...rows(['plugin.auth.reads-need-key', 'plugin.auth.changes-need-key'], {
    'key.not-needed-with-a-query': [
      'A path with a query string requires no key.',
      openFor(/\?/),
      [
        { answers: { 'plugin.path.query': 'unknown' }, from: ['plugin.auth.reads-need-key'] },
        { answers: { 'plugin.path.query': 'refused' }, from: ['plugin.auth.reads-need-key'] },
        ...queriesRejected,
      ],
    ],
    'key.not-needed-with-an-encoded-path': [
      'The key is required only where the path begins with /api/ before it is decoded.',
      openFor(/^(?!\/api\/)/),
      [{ answers: { 'plugin.path.percent-encoding': 'literal' } }],
    ],
  }),
]
