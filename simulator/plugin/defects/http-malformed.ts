import type { IncomingHttpHeaders } from 'node:http'
import type { PluginRequirementId } from '../../../spec/plugin/requirements.ts'
import { reject } from '../../defect-parts/reject.ts'
import { asks } from '../../defect-parts/wire.ts'
import type { HttpResponse } from '../../server/response.ts'
import type { Defect } from './defect.ts'
import { losing } from './overrides.ts'

interface Loss {
  readonly faults: RegExp
  readonly workers: number
  readonly summary: string
}

/** A server that loses a worker with each request that the parser rejects with such a code. */
function losingTo(id: string, breaks: PluginRequirementId, { faults, workers, summary }: Loss): Defect {
  const override = losing(workers, ({ unparsable }, lose) => ({
    unparsable: (problem, code) => {
      if (faults.test(code)) lose()
      return unparsable(problem, code)
    },
  }))
  return { id, breaks: [breaks], summary, override }
}

/** HTTP that is malformed, incomplete or pipelined. */
export const malformedHttpDefects: readonly Defect[] = [
  losingTo('malformed.length-overflows', 'plugin.robust.survives', {
    faults: /INVALID_CONTENT_LENGTH/,
    workers: 1,
    summary: 'A Content-Length that is not a number overflows its variable, and the server stops responding.',
  }),
  losingTo('malformed.second-length-waited-for', 'plugin.robust.survives', {
    faults: /UNEXPECTED_CONTENT_LENGTH/,
    workers: 1,
    summary: 'After two Content-Length headers, the only worker waits for the longer body.',
  }),
  losingTo('malformed.chunk-size-overflows', 'plugin.robust.survives', {
    faults: /CHUNK_SIZE/,
    workers: 2,
    summary: 'Each chunk size that is not a number blocks one of two workers forever.',
  }),
  losingTo('malformed.coding-not-known', 'plugin.robust.survives', {
    faults: /TRANSFER_ENCODING/,
    workers: 1,
    summary: 'After an unknown transfer coding, the server stops responding.',
  }),
  losingTo('malformed.header-without-colon', 'plugin.robust.survives', {
    faults: /HEADER_TOKEN/,
    workers: 1,
    summary: 'The colon of a header is searched for beyond its line, and the server stops responding.',
  }),
  {
    id: 'malformed.thousand-headers-run-over-the-key',
    breaks: ['plugin.robust.survives'],
    summary: 'More than 500 headers overwrite the key, and every later request is rejected.',
    override: ({ readApiKeyHeader, sameKey }) => {
      let overwritten = false
      return {
        readApiKeyHeader: (headers) => {
          overwritten ||= Object.keys(headers).length > 500
          return readApiKeyHeader(headers)
        },
        sameKey: (given, key) => !overwritten && sameKey(given, key),
      }
    },
  },
  losingTo('malformed.other-version-not-expected', 'plugin.robust.survives', {
    faults: /VERSION|CONSTANT|URL/,
    workers: 2,
    summary: 'Each unusual request line blocks one of two workers forever.',
  }),
  {
    id: 'malformed.four-stalled-clients-lock-all-out',
    breaks: ['plugin.robust.survives'],
    summary: 'Each incomplete request body blocks one of four workers; then all others are rejected.',
    override: ({ readApiKeyHeader, finish }) => {
      const waiting = new Set<IncomingHttpHeaders>()
      return {
        readApiKeyHeader: (headers) => {
          if (waiting.size >= 4) reject(503, 'All workers are busy.')
          if (headers['content-length'] ?? headers['transfer-encoding']) waiting.add(headers)
          return readApiKeyHeader(headers)
        },
        finish: (response, request) => {
          waiting.delete(request.headers)
          return finish(response, request)
        },
      }
    },
  },
  {
    id: 'http.body-expected-with-its-head',
    breaks: ['plugin.http.any-framing'],
    summary: 'A body that does not arrive together with its head is read as empty.',
    override: ({ readApiKeyHeader, decodeText }) => {
      let isLate = false
      return {
        readApiKeyHeader: (headers) => {
          isLate = false
          setImmediate(() => {
            isLate = true
          })
          return readApiKeyHeader(headers)
        },
        decodeText: (bytes) => (isLate ? '' : decodeText(bytes)),
      }
    },
  },
  {
    id: 'http.pipelined-list-is-read-at-once',
    breaks: ['plugin.http.keep-alive'],
    summary: 'A list that is requested in the packet of a POST is the one before that POST.',
    override: ({ finish }) => {
      const last = new WeakMap<object, number>()
      let before: HttpResponse['body']
      return {
        finish: (given, request) => {
          const response = finish(given, request)
          const isList = asks(request, 'GET /api/rules') && response.status === 200
          const isPipelined = last.get(request.socket) === request.socket.bytesRead
          last.set(request.socket, request.socket.bytesRead)
          if (isList && isPipelined && before !== undefined) return { ...response, body: before }
          if (isList) before = response.body
          return response
        },
      }
    },
  },
  {
    id: 'http.pipelined-requests-get-one-answer',
    breaks: ['plugin.http.keep-alive'],
    summary: 'A pipelined request gets the response to the request before it.',
    override: ({ finish }) => {
      const responded = new WeakMap<object, { readonly response: HttpResponse; readonly bytesRead: number }>()
      return {
        finish: (given, request) => {
          const { socket } = request
          const before = responded.get(socket)
          const response = before?.bytesRead === socket.bytesRead ? before.response : finish(given, request)
          responded.set(socket, { response, bytesRead: socket.bytesRead })
          return response
        },
      }
    },
  },
]
