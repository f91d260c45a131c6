import { connectionLimit } from '../../defect-parts/connection-limit.ts'
import { reject } from '../../defect-parts/reject.ts'
import { errorAgain, sharedBuffer } from '../../defect-parts/response-mix-up.ts'
import type { Defect } from './defect.ts'

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
    override: ({ errorBody, encodeJson }) => {
      const withRest = new WeakSet<object>()
      return {
        finish: (response, { socket, method }) => {
          const isGarbled = withRest.delete(socket)
          if (method === 'POST' && response.status >= 400) withRest.add(socket)
          return isGarbled
            ? { ...response, status: 400, body: encodeJson(errorBody('Unknown method {"master":.', 400)) }
            : response
        },
      }
    },
  },
  {
    id: 'http.chunks-not-read',
    breaks: ['plugin.http.chunked-body'],
    summary: 'A body without Content-Length returns 411.',
    override: ({ readApiKeyHeader }) => ({
      readApiKeyHeader: (headers) =>
        headers['transfer-encoding'] === undefined ? readApiKeyHeader(headers) : reject(411, 'The length is missing.'),
    }),
  },
  {
    id: 'http.chunk-sizes-in-the-body',
    breaks: ['plugin.http.chunked-body'],
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
    breaks: ['plugin.http.parallel-reads'],
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
    breaks: ['plugin.http.parallel-reads'],
    summary: 'With more than four open connections, a request gets the response to another one.',
    override: () => ({ finish: sharedBuffer(4) }),
  },
]
