import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  keptOpenAfterErrors,
  remembersConnection,
  serverOf,
  withBodyAfterHead,
} from '../../defect-parts/connections.ts'
import { holdResponse, neverAnswered } from '../../defect-parts/hold-response.ts'
import { type Applies, is, withHeader } from '../../defect-parts/wire.ts'
import { type Defect, rows } from './defect.ts'
import { poisonedAfter } from './http.ts'
import { instead, responds } from './overrides.ts'

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

/** A server that never responds to matching requests. */
const neverAnswers = (isMeant: (request: IncomingMessage) => boolean) =>
  responds((_, request) => isMeant(request), neverAnswered)

/** A server that reads the body of a request as the start of the next one. */
const poisonedByBody = (poisons: Applies) =>
  poisonedAfter((status, request) => lengthOf(request) > 0 && poisons(status, request))

/** Connection defects of a C or C++ server that reads from the socket itself. */
export const nativeConnectionDefects: readonly Defect[] = [
  ...rows('plugin.http.response-end', {
    'native.head-with-body HEAD returns the body of an error response.': responds(is(404, 'HEAD'), withBodyAfterHead),
    'native.connection-option-read-with-case The connection stays open after a request with connection: Close.':
      responds((_, { rawHeaders }) => rawHeaders.includes('Close'), withHeader('Connection', 'keep-alive')),
    'native.http-1.0-connection-kept-open The connection stays open after a request with HTTP/1.0.': responds(
      (_, { httpVersion }) => httpVersion === '1.0',
      withHeader('Connection', 'keep-alive'),
    ),
    'native.connection-option-read-once Connection: close is read only in the first request of a connection.':
      remembersConnection(({ response }, before) =>
        before.length > 0 ? withHeader('Connection', 'keep-alive')(response) : response,
      ),
    'native.connection-kept-open The connection stays open after an error response to a request with Connection: close.':
      keptOpenAfterErrors,
  }),
  ...rows('plugin.robust.survives', {
    'native.invalid-utf8-hangs A body that is not UTF-8 is never answered.': ({ decodeText, finish }) => {
      let isStuck = false
      return {
        decodeText: (bytes) => {
          isStuck = !Buffer.from(Buffer.from(bytes).toString()).equals(bytes)
          return decodeText(bytes)
        },
        finish: (response, request) => {
          if (isStuck && request.method === 'POST') holdResponse(request)
          isStuck = false
          return finish(response, request)
        },
      }
    },
    'native.one-worker-per-connection Each open connection has one of 32 workers, and without a free one a client waits.':
      instead('finish', ({ finish }, response, request) => {
        const server = serverOf(request)
        const free = new Promise<void>((resolve) => {
          server.getConnections((_, count) => {
            if (count <= 32) resolve()
          })
        })
        holdResponse(request, free)
        return finish(response, request)
      }),
  }),
  ...rows('plugin.robust.answers', {
    'native.wrong-key-blocks-all After a wrong key in a request with Connection: close, no client gets a response for 800 ms.':
      ({ finish }) => {
        let heldUntil = 0
        return {
          finish: (response, request) => {
            const isClosing = request.headers.connection === 'close'
            if (response.status === 401 && isClosing) heldUntil = Math.max(heldUntil, performance.now() + 800)
            const waitMs = heldUntil - performance.now()
            if (waitMs > 0) holdResponse(request, pause(waitMs))
            return finish(response, request)
          },
        }
      },
    'native.continue-never-sent A request with Expect: 100-continue waits for its body and gets no response before it.':
      instead('finish', ({ finish }, response, request) => {
        const server = serverOf(request)
        if (server.listenerCount('checkContinue') === 0)
          server.on('checkContinue', (...given) => server.emit('request', ...given))
        return finish(response, request)
      }),
    'native.missing-length-hangs A POST without a length is never answered.': neverAnswers(
      ({ method, headers }) =>
        method === 'POST' && (headers['content-length'] ?? headers['transfer-encoding']) === undefined,
    ),
    'native.empty-chunked-body-hangs A chunked body without chunks is never answered.': neverAnswers(
      ({ socket, headers }) => headers['transfer-encoding'] === 'chunked' && socket.bytesRead < 200,
    ),
    'native.body-above-64-kib-hangs A body that does not fit into 64 KiB is never answered.': neverAnswers(
      (request) => lengthOf(request) > 2 ** 16 && lengthOf(request) < 2 ** 20,
    ),
    'native.body-of-64-kib-hangs A body of exactly 64 KiB has the length 0 in 16 bits, and is never answered.':
      neverAnswers((request) => lengthOf(request) === 2 ** 16),
  }),
  ...rows('plugin.http.keep-alive', {
    'native.unknown-path-body-left-on-connection The body of a request to an unknown path stays unread and becomes the beginning of the next request.':
      poisonedByBody(is(404)),
    'native.chunked-body-left-on-connection The chunked body of a request other than POST stays unread and becomes the beginning of the next request.':
      poisonedAfter((_, { method, headers }) => method !== 'POST' && headers['transfer-encoding'] !== undefined),
    'native.status-body-left-on-connection The body of a POST to /api/status stays unread and becomes the beginning of the next request.':
      poisonedByBody(is(405, 'POST /api/status')),
    'native.unknown-method-body-left-on-connection The body of a request with an unknown method stays unread and becomes the beginning of the next request.':
      poisonedByBody(is(405, /^(?!PUT|POST)/)),
  }),
]
