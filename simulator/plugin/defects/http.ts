import type { IncomingMessage } from 'node:http'
import { connectionLimit } from '../../defect-parts/connection-limit.ts'
import { reject } from '../../defect-parts/reject.ts'
import { errorAgain, sharedBuffer } from '../../defect-parts/response-mix-up.ts'
import { changesResponse } from '../../defect-parts/wire.ts'
import type { Defect } from './defect.ts'

/** A server that returns 400 for the request after one for which `poisons` holds, on the same connection. */
export function poisonedAfter(
  poisons: (status: number, request: IncomingMessage) => boolean,
  message = 'Bad request.',
): Defect['override'] {
  return ({ errorBody, encodeJson }) => {
    const poisoned = new WeakSet<object>()
    return {
      finish: (response, request) => {
        const isPoisoned = poisoned.delete(request.socket)
        if (poisons(response.status, request)) poisoned.add(request.socket)
        return isPoisoned ? { ...response, status: 400, body: encodeJson(errorBody(message, 400)) } : response
      },
    }
  }
}

/** HTTP itself: connections, bodies in chunks, several clients at once. */
export const httpDefects: readonly Defect[] = [
  {
    id: 'http.error-answers-the-next-request-too',
    breaks: ['plugin.http.keep-alive'],
    summary: 'After an error, the next request on the connection gets the same response.',
    override: () => ({ finish: errorAgain() }),
  },
  {
    id: 'http.refused-body-left-on-the-connection',
    breaks: ['plugin.http.keep-alive'],
    summary: 'The body of a rejected POST is read as the beginning of the next request.',
    override: poisonedAfter((status, { method }) => method === 'POST' && status >= 400, 'Unknown method {"master":.'),
  },
  {
    id: 'http.chunks-not-read',
    breaks: ['plugin.http.any-framing'],
    summary: 'A body without Content-Length returns 411.',
    override: ({ readApiKeyHeader }) => ({
      readApiKeyHeader: (headers) =>
        headers['transfer-encoding'] === undefined ? readApiKeyHeader(headers) : reject(411, 'The length is missing.'),
    }),
  },
  {
    id: 'http.chunk-sizes-in-the-body',
    breaks: ['plugin.http.any-framing'],
    summary: 'The chunk sizes are read as part of the body.',
    override: ({ readApiKeyHeader, decodeText }) => {
      let chunked = false
      return {
        readApiKeyHeader: (headers) => {
          chunked = headers['transfer-encoding'] === 'chunked'
          return readApiKeyHeader(headers)
        },
        decodeText: (bytes) => (chunked ? `a\r\n${decodeText(bytes)}` : decodeText(bytes)),
      }
    },
  },
  {
    id: 'http.eight-clients-at-most',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'With more than eight open connections, requests return 503.',
    override: ({ errorBody, encodeJson }) => {
      const isOverLimit = connectionLimit(8)
      return {
        finish: (response, { socket }) =>
          isOverLimit(socket) ? { ...response, status: 503, body: encodeJson(errorBody('Busy.', 503)) } : response,
      }
    },
  },
  {
    id: 'http.answers-share-a-buffer',
    breaks: ['plugin.robust.overlapping-requests'],
    summary: 'With more than four open connections, a request gets the response to another one.',
    override: () => ({ finish: sharedBuffer(4) }),
  },
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
  {
    id: 'http.bad-json-sticks-to-connection',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'After invalid JSON, every POST on the same connection returns 400.',
    override: ({ parseJson, errorBody, encodeJson }) => {
      const spoiled = new WeakSet<object>()
      let invalid = false
      return {
        parseJson: (text) => {
          invalid = true
          const value = parseJson(text)
          invalid = false
          return value
        },
        finish: (response, { method, socket }) => {
          if (method !== 'POST') return response
          if (invalid) spoiled.add(socket)
          invalid = false
          if (!spoiled.has(socket)) return response
          return { ...response, status: 400, body: encodeJson(errorBody('Bad request.', 400)) }
        },
      }
    },
  },
  {
    id: 'http.later-packet-is-400',
    breaks: ['plugin.http.keep-alive'],
    summary: 'A request on an open connection returns 400 unless it arrives together with the one before.',
    override: ({ errorBody, encodeJson }) => {
      const read = new WeakMap<object, number>()
      return {
        finish: (response, { socket }) => {
          const isLater = (read.get(socket) ?? socket.bytesRead) < socket.bytesRead
          read.set(socket, socket.bytesRead)
          return isLater ? { ...response, status: 400, body: encodeJson(errorBody('Bad request.', 400)) } : response
        },
      }
    },
  },
  {
    id: 'http.last-chunk-is-400',
    breaks: ['plugin.http.any-framing'],
    summary: 'A POST with a chunked body adds its rule, but returns 400 because of the last chunk.',
    override: ({ errorBody, encodeJson }) =>
      changesResponse(
        (status, { headers }) => status === 201 && headers['transfer-encoding'] !== undefined,
        (response) => ({ ...response, status: 400, body: encodeJson(errorBody('Bad request.', 400)) }),
      )(),
  },
  {
    id: 'http.body-of-delete-left-on-the-connection',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'The body of a DELETE stays unread and becomes the beginning of the next request.',
    override: poisonedAfter((_, { method, headers }) => method === 'DELETE' && headers['content-length'] !== undefined),
  },
  {
    id: 'http.missing-field-from-connection',
    breaks: ['plugin.add.requires-every-field'],
    summary: 'A missing field is taken from the request before on the same connection.',
    override: ({ encodeJson }) => {
      const complete = new WeakSet<object>()
      return {
        finish: (response, { method, socket }) => {
          if (method !== 'POST') return response
          if (response.status === 201) complete.add(socket)
          if (response.status !== 400 || !complete.has(socket)) return response
          return { ...response, status: 201, body: encodeJson({ success: true, index: 0, master: 1, follower: 2 }) }
        },
      }
    },
  },
]
