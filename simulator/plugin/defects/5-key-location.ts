import { ErrorResponse } from '../../server/error-response.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Defect } from './defect.ts'
import { queriesRejected } from './masks.ts'
import { asks, textOf } from './wire.ts'

/** Remembers whether the request whose key is looked at is a change. */
function watchingWrites({ asksForKey }: Hooks) {
  let writing = false
  return {
    asksForKey: (asked: { readonly method: string; readonly path: string }) => {
      writing = asked.method !== 'GET'
      return asksForKey(asked)
    },
    isWriting: () => writing,
  }
}

/** A server that takes the key from the query string too, under this name. */
function readsQuery(name: string): Defect['override'] {
  return ({ splitTarget }) => ({
    readKeyElsewhere: (target) => new URLSearchParams(splitTarget(target).query).get(name) ?? undefined,
  })
}

/** Remembers the right key, to give it away. */
function learningKey({ sameKey }: Hooks) {
  let right = ''
  return {
    sameKey: (given: string, key: string) => {
      right = key
      return sameKey(given, key)
    },
    rightKey: () => right,
  }
}

/** Clause 5: places of the key that only some requests show. */
export const keyLocationDefects: readonly Defect[] = [
  {
    id: 'header.one-of-two-only-for-changes',
    breaks: ['plugin.auth.both-headers'],
    summary: 'A change with both headers is rejected.',
    override: (hooks) => {
      const { isWriting, asksForKey } = watchingWrites(hooks)
      return {
        asksForKey,
        acceptsCredentials: (given, isRight) =>
          !(isWriting() && given.apiKey !== undefined && given.bearer !== undefined) &&
          hooks.acceptsCredentials(given, isRight),
      }
    },
  },
  {
    id: 'header.key-in-query-for-changes',
    breaks: ['plugin.auth.only-the-headers'],
    maskedBy: queriesRejected,
    summary: 'Changes also accept the key in the query string.',
    override: (hooks) => {
      const { isWriting, asksForKey } = watchingWrites(hooks)
      const { readKeyElsewhere } = readsQuery('api_key')(hooks)
      return {
        asksForKey,
        readKeyElsewhere: (target, headers) => (isWriting() ? readKeyElsewhere?.(target, headers) : undefined),
      }
    },
  },
  {
    id: 'header.key-in-query-as-key',
    breaks: ['plugin.auth.only-the-headers'],
    maskedBy: queriesRejected,
    summary: 'The key is also accepted in the query parameter key.',
    override: readsQuery('key'),
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
    override: (hooks) => {
      const { sameKey, rightKey } = learningKey(hooks)
      return {
        sameKey,
        finish: (response, request) =>
          response.status === 405 && request.url === '/api/rules'
            ? { ...response, body: hooks.encodeJson({ error: `Not allowed for ${rightKey()}.` }) }
            : response,
      }
    },
  },
  {
    id: 'header.encoded-key-in-the-401',
    breaks: ['plugin.auth.key-not-repeated'],
    summary: 'The error text of a 401 contains the expected key in base64.',
    override: (hooks) => {
      const { sameKey, rightKey } = learningKey(hooks)
      const encoded = () => Buffer.from(rightKey()).toString('base64')
      return { sameKey, unauthorized: () => new ErrorResponse(401, `${hooks.unauthorized().message} ${encoded()}`) }
    },
  },
  {
    id: 'header.right-key-in-the-added',
    breaks: ['plugin.auth.key-not-repeated'],
    summary: 'The response to a POST contains the key.',
    override: (hooks) => {
      const { sameKey, rightKey } = learningKey(hooks)
      return {
        sameKey,
        finish: (response, request) =>
          response.status === 201 && asks(request, 'POST')
            ? { ...response, body: Buffer.from(textOf(response).replace(/}$/, `,"by":"${rightKey()}"}`)) }
            : response,
      }
    },
  },
]
