import type { IncomingMessage } from 'node:http'
import type { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isLosslessNumber, LosslessNumber } from 'lossless-json'
import type { PluginRequirementId } from '../../../spec/plugin/requirements.ts'
import { holdResponse } from '../../defect-parts/hold-response.ts'
import { reject } from '../../defect-parts/reject.ts'
import { withMembers } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/error-response.ts'
import type { Defect } from './defect.ts'
import { poisonedAfter } from './http.ts'
import { losing } from './overrides.ts'

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

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

/** A server whose error texts end with what should have stayed inside. */
function discloses(id: string, summary: string, inside: (target: string) => string): Defect {
  const override: Defect['override'] = ({ splitTarget, errorBody }) => {
    let target = ''
    return {
      splitTarget: (given) => {
        target = given
        return splitTarget(given)
      },
      errorBody: (message, status) => errorBody(`${message} ${inside(target)}`.trim(), status),
    }
  }
  return { id, breaks: ['plugin.errors.no-internals'], summary, override }
}

/** The start of a numeral, as a buffer of fixed size holds it. */
function cutNumeral(value: unknown): unknown {
  return isLosslessNumber(value) ? new LosslessNumber(value.value.slice(0, 18)) : value
}

function poisoned(id: string, where: string, poisons: (status: number, request: IncomingMessage) => boolean): Defect {
  const breaks: readonly [PluginRequirementId] = ['plugin.http.keep-alive']
  const summary = `The body of a request ${where} stays unread and becomes the beginning of the next request.`
  return { id, breaks, summary, override: poisonedAfter((...given) => lengthOf(given[1]) > 0 && poisons(...given)) }
}

/** What a server in C or C++ does that reads from the socket itself. */
export const nativeDefects: readonly Defect[] = [
  {
    id: 'native.body-of-two-packets',
    breaks: ['plugin.http.any-framing'],
    summary: 'A body is read with two calls of recv, and what arrives after them is ignored.',
    override: ({ joinBody }) => ({ joinBody: (packets) => joinBody(packets.slice(0, 2)) }),
  },
  {
    id: 'native.length-in-16-bits',
    breaks: ['plugin.robust.survives'],
    summary: 'The length of a body is stored in 16 bits, so a body of 64 KiB and more is cut.',
    override: ({ joinBody }) => ({
      joinBody: (packets) => {
        const bytes = joinBody(packets)
        return bytes.subarray(0, bytes.length % 2 ** 16)
      },
    }),
  },
  {
    id: 'native.value-buffer',
    breaks: ['plugin.rule.as-sent'],
    summary: 'A value is read from a buffer that holds 18 characters.',
    override: ({ readValue }) => ({ readValue: (value) => readValue(cutNumeral(value)) }),
  },
  {
    id: 'native.login-buffer',
    breaks: ['plugin.rule.as-sent'],
    summary: 'A login is read from a buffer that holds 18 characters.',
    override: ({ loginNumeral }) => ({ loginNumeral: (field, value) => loginNumeral(field, cutNumeral(value)) }),
  },
  {
    id: 'native.media-type-compared-as-text',
    breaks: ['plugin.add.any-json-spelling'],
    summary: 'A Content-Type with a parameter returns 415.',
    override: ({ judgeContentType }) => ({
      judgeContentType: (type) =>
        type?.includes(';') ? new ErrorResponse(415, 'The body is not JSON.') : judgeContentType(type),
    }),
  },
  {
    id: 'native.path-ends-at-nul',
    breaks: ['plugin.path.unknown'],
    summary: 'A path ends at its first NUL, as in C.',
    override: ({ splitTarget }) => ({ splitTarget: (target) => splitTarget(`${target.split('%00')[0]}`) }),
  },
  {
    id: 'native.path-is-a-format-string',
    breaks: ['plugin.robust.survives'],
    summary: 'A path is the format string of a log line, so %n crashes the server.',
    override: losing(1, ({ splitTarget }, lose) => ({
      splitTarget: (target) => {
        if (target.includes('%n')) lose()
        return splitTarget(target)
      },
    })),
  },
  discloses(
    'native.path-is-formatted',
    'The error text repeats the path through printf, which shows addresses.',
    (target) => (target.includes('%p') ? `0x7ffd3a51c0${(target.length % 256).toString(16).padStart(2, '0')}` : ''),
  ),
  discloses('native.encoded-path-is-formatted', 'The error text repeats the decoded path through printf.', (target) =>
    target.includes('%25p') ? '(nil)' : '',
  ),
  discloses(
    'native.error-shows-file',
    'The error text names the file that could not be opened.',
    () => 'Cannot open /opt/terminal/plugins/copy/rules.dat.',
  ),
  discloses(
    'native.error-shows-windows-file',
    'The error text names a file of Windows.',
    () => 'Cannot open C:\\Terminal\\plugins\\rules.dat.',
  ),
  discloses(
    'native.error-shows-source',
    'The error text names the line of the source code.',
    () => 'assert in http_parse.cpp:118',
  ),
  poisoned('native.body-of-unknown-path', 'to an unknown path', (status) => status === 404),
  poisoned(
    'native.body-of-unknown-method',
    'with an unknown method',
    (status, { method = '' }) => status === 405 && !['PUT', 'POST'].includes(method),
  ),
  {
    id: 'native.head-with-body',
    breaks: ['plugin.http.response-end'],
    summary: 'HEAD returns what GET returns.',
    override: ({ finish }) => ({
      finish: (response, request) => {
        const { method, socket } = request
        // After the head, and before the connection is closed.
        if (method === 'HEAD') process.nextTick(() => socket.write(response.body ?? ''))
        return finish(response, request)
      },
    }),
  },
  {
    id: 'native.connection-kept-open',
    breaks: ['plugin.http.response-end'],
    summary: 'The connection stays open after a request with Connection: close.',
    override: ({ finish }) => ({
      finish: (given, request) => {
        const response = finish(given, request)
        return { ...response, headers: { ...response.headers, Connection: 'keep-alive' } }
      },
    }),
  },
  {
    id: 'native.total-of-another-moment',
    breaks: ['plugin.list.total'],
    summary: 'The total is counted before the rules are read, so a change in between shows in the rules only.',
    override: ({ save, writtenList, listBody }) => {
      let saving = 0
      return {
        save: async (write, change) => {
          saving++
          await pause(10)
          await save(write, change)
          saving--
        },
        writtenList: (cached, write) => (saving > 0 ? write() : writtenList(cached, write)),
        listBody: (rules) => withMembers(listBody(rules), saving > 0 ? { total: rules.length + 1 } : {}),
      }
    },
  },
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
  {
    id: 'native.not-utf-8-never-answered',
    breaks: ['plugin.robust.survives'],
    summary: 'A body that is not UTF-8 is never answered.',
    override: ({ decodeText, finish }) => {
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
  },
  {
    id: 'native.worker-for-each-connection',
    breaks: ['plugin.robust.survives'],
    summary: 'Each open connection has one of 32 workers, and without a free one a client waits.',
    override: ({ finish }) => ({
      finish: (response, request) => {
        const { server } = request.socket as typeof request.socket & { readonly server: Server }
        const free = new Promise<void>((resolve) => {
          server.getConnections((_, count) => {
            if (count <= 32) resolve()
          })
        })
        holdResponse(request, free)
        return finish(response, request)
      },
    }),
  },
  {
    id: 'native.wrong-key-holds-up-all',
    breaks: ['plugin.robust.answers'],
    summary: 'After a wrong key in a request with Connection: close, no client gets a response for 800 ms.',
    override: ({ finish }) => {
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
  },
  {
    id: 'native.file-left-open',
    breaks: ['plugin.http.ordinary-requests'],
    summary: 'Each change leaves the file open, and after eight of them every change returns 503.',
    override: ({ save }) => {
      let descriptors = 8
      return {
        save: async (write, change) => {
          if (descriptors === 0) reject(503, 'Too many open files.')
          descriptors--
          await save(write, change)
        },
      }
    },
  },
]
