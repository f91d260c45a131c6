import {
  type Exchange,
  errorAgain,
  remembersConnection,
  sharedBuffer,
  whenCrowded,
} from '../../defect-parts/connections.ts'
import { reject } from '../../defect-parts/reject.ts'
import { type Applies, asks, is, textOf } from '../../defect-parts/wire.ts'
import { type Defect, rows } from './defect.ts'
import { knowing } from './known.ts'
import { asError } from './overrides.ts'

/** A server that returns 400 where the requests before on the same connection say so. */
export function rejectsOnConnection(
  isRejected: (now: Exchange, before: readonly Exchange[]) => boolean,
  message = 'Bad request.',
): Defect['override'] {
  return (hooks) =>
    remembersConnection((now, before) =>
      isRejected(now, before) ? asError(hooks, 400, message)(now.response) : now.response,
    )()
}

/** A server that returns 400 for the request after one for which `poisons` holds, on the same connection. */
export function poisonedAfter(poisons: Applies, message?: string): Defect['override'] {
  const isPoison = ({ response, request }: Exchange) => poisons(response.status, request)
  return rejectsOnConnection((_, before) => before.slice(-1).some(isPoison), message)
}

export const isPost = ({ request }: Exchange) => asks(request, 'POST')
/** A body that is not UTF-8 does not reach the parser. */
const isInvalidJson = ({ response }: Exchange) =>
  response.status === 400 && /Invalid JSON(?!: the body is not UTF-8)/.test(textOf(response))
const isCreated = ({ response }: Exchange) => response.status === 201

/** HTTP itself: connections, bodies in chunks, several clients at once. */
export const httpDefects: readonly Defect[] = [
  ...rows('plugin.http.keep-alive', {
    'http.error-answers-the-next-request-too': [
      'After an error, the next request on the connection gets the same response.',
      errorAgain,
    ],
    'http.refused-body-left-on-the-connection': [
      'The body of a rejected POST is read as the beginning of the next request.',
      poisonedAfter((status, { method }) => method === 'POST' && status >= 400, 'Unknown method {"master":.'),
    ],
    'http.connection-poisoned-by-401': [
      'The body of a request without the key stays unread and becomes the beginning of the next request.',
      poisonedAfter(is(401)),
    ],
    'http.connection-poisoned-by-405': [
      'The body of a request with a disallowed method stays unread and becomes the beginning of the next request.',
      poisonedAfter(is(405)),
    ],
    'http.second-post-on-a-connection': [
      'The second POST on a connection is read with the body of the first.',
      rejectsOnConnection((now, before) => isPost(now) && before.some(isPost)),
    ],
    'http.later-packet-is-400': [
      'A request on an open connection returns 400 unless it arrives together with the one before.',
      rejectsOnConnection((now, before) => before.slice(-1).some(({ bytesRead }) => bytesRead < now.bytesRead)),
    ],
  }),
  ...rows('plugin.http.any-framing', {
    'http.chunks-not-read': [
      'A body without Content-Length returns 411.',
      ({ readApiKeyHeader }) => ({
        readApiKeyHeader: (headers) =>
          headers['transfer-encoding'] === undefined
            ? readApiKeyHeader(headers)
            : reject(411, 'The length is missing.'),
      }),
    ],
    'http.chunk-sizes-in-the-body': [
      'The chunk sizes are read as part of the body.',
      knowing(({ decodeText }, known) => ({
        decodeText: (bytes) => `${known.headers['transfer-encoding'] === 'chunked' ? 'a\r\n' : ''}${decodeText(bytes)}`,
      })),
    ],
  }),
  ...rows('plugin.robust.overlapping-requests', {
    'http.eight-clients-at-most': [
      'With more than eight open connections, requests return 503.',
      (hooks) => whenCrowded(8, asError(hooks, 503, 'Busy.'))(),
    ],
    'http.answers-share-a-buffer': [
      'With more than four open connections, a request gets the response to another one.',
      sharedBuffer(4),
    ],
  }),
  ...rows('plugin.http.ordinary-requests', {
    'http.bad-json-sticks-to-connection': [
      'After invalid JSON, every POST on the same connection returns 400.',
      rejectsOnConnection((now, before) => isPost(now) && before.some(isInvalidJson)),
    ],
    'http.body-of-delete-left-on-the-connection': [
      'The body of a DELETE stays unread and becomes the beginning of the next request.',
      poisonedAfter((_, { method, headers }) => method === 'DELETE' && headers['content-length'] !== undefined),
    ],
  }),
  ...rows('plugin.add.requires-every-field', {
    'http.missing-field-from-connection': [
      'A missing field is taken from the request before on the same connection.',
      remembersConnection((now, before) =>
        isPost(now) && now.response.status === 400 && before.some(isCreated)
          ? { ...now.response, status: 201, body: Buffer.from('{"success":true,"index":0,"master":1,"follower":2}') }
          : now.response,
      ),
    ],
  }),
]
