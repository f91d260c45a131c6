import type { IncomingMessage } from 'node:http'
import type { Defect } from './defect.ts'

/** A server that answers the request behind one for which `poisons` holds with 400, on the same connection. */
function poisonedAfter(poisons: (status: number, request: IncomingMessage) => boolean): Defect['override'] {
  return ({ errorBody, encodeJson }) => {
    const poisoned = new WeakSet<object>()
    return {
      finish: (response, request) => {
        const isPoisoned = poisoned.delete(request.socket)
        if (poisons(response.status, request)) poisoned.add(request.socket)
        return isPoisoned ? { ...response, status: 400, body: encodeJson(errorBody('Bad request.', 400)) } : response
      },
    }
  }
}

/** HTTP itself: connections that are not clean after some requests. */
export const keepAliveDefects: readonly Defect[] = [
  {
    id: 'http.connection-poisoned-by-401',
    breaks: ['plugin.http.keep-alive'],
    summary: 'The body of a request without the key stays unread and becomes the beginning of the next request.',
    override: poisonedAfter((status) => status === 401),
  },
  {
    id: 'http.connection-poisoned-by-405',
    breaks: ['plugin.http.keep-alive'],
    summary:
      'The body of a request with a disallowed method stays unread and becomes the beginning of the next request.',
    override: poisonedAfter((status) => status === 405),
  },
  {
    id: 'http.second-post-on-a-connection',
    breaks: ['plugin.http.keep-alive'],
    summary: 'The second POST on a connection is read with the body of the first.',
    override: ({ errorBody, encodeJson }) => {
      const posted = new WeakSet<object>()
      return {
        finish: (response, { method, socket }) => {
          const again = method === 'POST' && posted.has(socket)
          if (method === 'POST') posted.add(socket)
          return again ? { ...response, status: 400, body: encodeJson(errorBody('Bad request.', 400)) } : response
        },
      }
    },
  },
]
