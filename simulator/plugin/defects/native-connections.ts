import type { IncomingMessage } from 'node:http'
import type { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { PluginRequirementId } from '../../../spec/plugin/requirements.ts'
import { holdResponse } from '../../defect-parts/hold-response.ts'
import { type Defect, rows } from './defect.ts'
import { poisonedAfter } from './http.ts'

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

/** What listens for the connection of a request. */
function serverOf({ socket }: IncomingMessage): Server {
  return (socket as typeof socket & { readonly server: Server }).server
}

/** A server that never answers requests like these. */
function neverAnswers(id: string, summary: string, isMeant: (request: IncomingMessage) => boolean): Defect {
  const override: Defect['override'] = ({ finish }) => ({
    finish: (response, request) => {
      if (isMeant(request)) holdResponse(request)
      return finish(response, request)
    },
  })
  return { id, breaks: ['plugin.robust.answers'], summary, override }
}

function poisoned(id: string, where: string, poisons: (status: number, request: IncomingMessage) => boolean): Defect {
  const breaks: readonly [PluginRequirementId] = ['plugin.http.keep-alive']
  const summary = `The body of a request ${where} stays unread and becomes the beginning of the next request.`
  return { id, breaks, summary, override: poisonedAfter((...given) => lengthOf(given[1]) > 0 && poisons(...given)) }
}

/** What a server in C or C++ does with its connections that reads from the socket itself. */
export const nativeConnectionDefects: readonly Defect[] = [
  ...rows('plugin.http.response-end', {
    'native.head-with-body': [
      'HEAD returns the body of an error response.',
      ({ finish }) => ({
        finish: (response, request) => {
          const { method, socket } = request
          // After the head, and before the connection is closed.
          if (method === 'HEAD' && response.status === 404) process.nextTick(() => socket.write(response.body ?? ''))
          return finish(response, request)
        },
      }),
    ],
    'native.connection-kept-open': [
      'The connection stays open after an error response to a request with Connection: close.',
      ({ finish }) => ({
        finish: (given, request) => {
          const response = finish(given, request)
          if (response.status < 400) return response
          return { ...response, headers: { ...response.headers, Connection: 'keep-alive' } }
        },
      }),
    ],
  }),
  ...rows('plugin.robust.survives', {
    'native.not-utf-8-never-answered': [
      'A body that is not UTF-8 is never answered.',
      ({ decodeText, finish }) => {
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
    ],
    'native.worker-for-each-connection': [
      'Each open connection has one of 32 workers, and without a free one a client waits.',
      ({ finish }) => ({
        finish: (response, request) => {
          const server = serverOf(request)
          const free = new Promise<void>((resolve) => {
            server.getConnections((_, count) => {
              if (count <= 32) resolve()
            })
          })
          holdResponse(request, free)
          return finish(response, request)
        },
      }),
    ],
  }),
  ...rows('plugin.robust.answers', {
    'native.wrong-key-holds-up-all': [
      'After a wrong key in a request with Connection: close, no client gets a response for 800 ms.',
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
    ],
    'native.continue-never-sent': [
      'A request with Expect: 100-continue waits for its body and gets no response before it.',
      ({ finish }) => ({
        finish: (response, request) => {
          const server = serverOf(request)
          if (server.listenerCount('checkContinue') === 0)
            server.on('checkContinue', (...given) => server.emit('request', ...given))
          return finish(response, request)
        },
      }),
    ],
  }),
  poisoned('native.body-of-unknown-path', 'to an unknown path', (status) => status === 404),
  poisoned(
    'native.body-of-unknown-method',
    'with an unknown method',
    (status, { method = '' }) => status === 405 && !['PUT', 'POST'].includes(method),
  ),
  neverAnswers(
    'native.body-waited-for',
    'A POST without a length is never answered.',
    ({ method, headers }) =>
      method === 'POST' && (headers['content-length'] ?? headers['transfer-encoding']) === undefined,
  ),
  neverAnswers(
    'native.empty-chunks-waited-for',
    'A chunked body without chunks is never answered.',
    ({ socket, headers }) => headers['transfer-encoding'] === 'chunked' && socket.bytesRead < 200,
  ),
  neverAnswers(
    'native.buffer-of-64-kib',
    'A body that does not fit into 64 KiB is never answered.',
    (request) => lengthOf(request) > 2 ** 16 && lengthOf(request) < 2 ** 20,
  ),
  neverAnswers(
    'native.length-of-exactly-64-kib',
    'A body of exactly 64 KiB has the length 0 in 16 bits, and is never answered.',
    (request) => lengthOf(request) === 2 ** 16,
  ),
]
