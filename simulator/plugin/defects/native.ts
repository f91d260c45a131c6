import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json'
import { combine } from '../../defect-parts/combine.ts'
import {
  holdResponse,
  neverAnswered,
  neverContinues,
  remembersConnection,
  serverOf,
  waitsForConnections,
  withBodyAfterHead,
} from '../../defect-parts/connections.ts'
import { after, losing } from '../../defect-parts/events.ts'
import { overlapping } from '../../defect-parts/overlapping.ts'
import { type Applies, is, reject, textOf, withHeader, withMembers } from '../../defect-parts/wire.ts'
import { ErrorResponse } from '../../server/response.ts'
import { type Defect, maskedRows, rows } from './defect.ts'
import { poisonedAfter } from './http.ts'
import type { Right } from './known.ts'
import { argument, instead, loads, on, readsIndex, responds, result } from './overrides.ts'

/** A server whose error texts end with internal data. */
const discloses = (inside: (target: string, status: number) => string) =>
  instead('errorBody', ({ errorBody, known }, message, status) =>
    errorBody(`${message} ${inside(known.target, status)}`.trim(), status),
  )

/** The start of a number, as a buffer of fixed size holds it. */
function cutNumeral(value: unknown, length: number): unknown {
  return isLosslessNumber(value) ? new LosslessNumber(value.value.slice(0, length)) : value
}

const lengthOf = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

/** A server that never responds to matching requests. */
const neverAnswers = (isMeant: (request: IncomingMessage) => boolean) =>
  responds((_, request) => isMeant(request), neverAnswered)

const notUtf8 = 'The body is not UTF-8.'

/** A server that reads the body of a request as the start of the next one. */
const poisonedByBody = (poisons: Applies) =>
  poisonedAfter((status, request) => lengthOf(request) > 0 && poisons(status, request))

/** Defects of a C or C++ server that reads from the socket itself: fixed buffers, NUL-terminated strings, printf. */
export const nativeDefects: readonly Defect[] = [
  ...rows('plugin.http.any-framing', {
    'native.body-limited-to-two-packets A body is read with two calls of recv, and what arrives after them is ignored.':
      argument('joinBody')((packets) => packets.slice(0, 2)),
    'native.large-body-read-once A body of more than 2 KiB is read with one call of recv, and what arrives after it is ignored.':
      argument('joinBody')((packets) => {
        const length = packets.reduce((sum, packet) => sum + packet.length, 0)
        return length > 2048 ? packets.slice(0, 1) : packets
      }),
    'native.at-most-16-headers The array of headers has 16 places, and the key behind them is not seen.': () =>
      result('readApiKeyHeader')((key, [headers]) => (Object.keys(headers).length > 16 ? undefined : key)),
  }),
  ...rows('plugin.robust.survives', {
    'native.length-in-16-bits The length of a body is stored in 16 bits, so a body of 64 KiB and more is cut.': () =>
      result('joinBody')((bytes) => bytes.subarray(0, bytes.length % 2 ** 16)),
    'native.long-number-crashes A number of more than 200 digits overflows its buffer and crashes the server.': () =>
      losing(on('parseJson', (text) => /\d{200}/.test(text))),
    'native.path-used-as-format-string A path is the format string of a log line, so %n crashes the server.': () =>
      losing(on('splitTarget', (target) => target.includes('%n'))),
    'native.login-echoed-raw The error text repeats a login that is a string with its raw bytes.': (hooks) => ({
      decodeText: (bytes) => Buffer.from(bytes).toString('latin1'),
      loginNumeral: (field, value) =>
        typeof value === 'string' ? reject(400, `The login ${value} is unknown.`) : hooks.loginNumeral(field, value),
      encodeJson: (value) => Buffer.from(stringify(value) ?? 'null', 'latin1'),
    }),
    'native.long-query-crashes A query of more than 300 bytes overflows its buffer and crashes the server.': () =>
      losing(on('splitTarget', (target) => /\?.{300}/.test(target))),
    'native.invalid-utf8-hangs A body that is not UTF-8 is never answered.': combine<Right>([
      instead('decodeText', ({ decodeText }, bytes) => (isUtf8(bytes) ? decodeText(bytes) : reject(400, notUtf8))),
      responds(is(400, 'POST'), (response, request) =>
        textOf(response).includes(notUtf8) ? neverAnswered(response, request) : response,
      ),
    ]),
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
  ...rows('plugin.rule.as-sent', {
    'native.value-truncated-to-18-characters A value is read from a buffer that holds 18 characters.': () =>
      argument('readValue')((value) => cutNumeral(value, 18)),
    'native.login-truncated-to-9-characters A login is read from a buffer that holds 9 characters.': () =>
      argument('loginNumeral', 1)((value) => cutNumeral(value, 9)),
  }),
  ...rows('plugin.add.any-json-spelling', {
    'native.media-type-read-with-case A Content-Type with capital letters returns 415.': result('judgeContentType')(
      (right, [type = '']) => (/[A-Z]/.test(type) ? new ErrorResponse(415, 'The body is not JSON.') : right),
    ),
    'native.media-type-parameter-rejected A Content-Type with a parameter returns 415.': result('judgeContentType')(
      (right, [type]) => (type?.includes(';') ? new ErrorResponse(415, 'The body is not JSON.') : right),
    ),
  }),
  ...rows('plugin.path.unknown', {
    'native.path-ends-at-nul A path ends at its first NUL, as in C.': () =>
      argument('splitTarget')((target) => `${target.split('%00')[0]}`),
  }),
  ...rows('plugin.list.total', {
    'native.total-counted-before-rules The total is counted before the rules are read, so a change in between shows in the rules only.':
      overlapping<Right>(10, ({ writtenList, listBody, known }, overlap) => ({
        writtenList: (cached, write) => (overlap.saving > 0 ? write() : writtenList(cached, write)),
        listBody: (rules) =>
          withMembers(
            listBody(rules),
            overlap.saving > 0 && known.changes.length > 10 ? { total: rules.length + 1 } : {},
          ),
      })),
  }),
  ...rows('plugin.http.ordinary-requests', {
    'native.status-leaks-file GET /api/status leaves a file open, and after ten of them it returns 503.': () =>
      after(on('statusBody'), () => ({ statusBody: () => reject(503, 'Too many open files.') }), 11),
  }),
  ...rows('plugin.auth.whole-key', {
    'native.key-ends-at-nul The key ends at its first NUL, as in C.': () =>
      result('unparsable')((right, [, code]) =>
        code === 'HPE_INVALID_HEADER_TOKEN' ? new ErrorResponse(200, 'OK') : right,
      ),
  }),
  ...rows('plugin.add.requires-every-field', {
    'native.name-ends-at-nul The name of a member ends at its first NUL, as in C.': result('membersOf')((members) =>
      Object.fromEntries(Object.entries(members).map(([name, member]) => [`${name.split('\0')[0]}`, member])),
    ),
  }),
  ...rows('plugin.delete.index-not-a-number', {
    'native.index-ends-at-nul An index ends at a NUL, as in C.': readsIndex((text) => text.replace(/(%00|\0).*/, '')),
  }),
  ...rows('plugin.errors.no-internals', {
    'native.full-list-shows-file The error text of a full list names the rules file with its path.': () =>
      instead('capacityReached', () => new ErrorResponse(500, 'No room in /data/copy/ServiceCopyTrade_rules.dat.')),
  }),
  ...rows('plugin.errors.no-internals', discloses, {
    'native.path-is-formatted The error text repeats the path through printf, which shows addresses.': (path) =>
      path.includes('%p') ? `0x7ffd3a51c0${(path.length % 256).toString(16).padStart(2, '0')}` : '',
    'native.encoded-path-is-formatted The error text repeats the decoded path through printf.': (path) =>
      path.includes('%25p') ? '(nil)' : '',
    'native.error-shows-file The error text names the file that could not be opened.': () =>
      'Cannot open /opt/terminal/plugins/copy/rules.dat.',
    'native.error-shows-windows-file The error text of a 400 names a file of Windows.': (_, status) =>
      status === 400 ? 'Cannot open C:\\Terminal\\plugins\\rules.dat.' : '',
    'native.error-shows-source The error text names the line of the source code.': () => 'assert in http_parse.cpp:118',
  }),
  ...maskedRows({ 'plugin.login.above-53-bits': 'refused' }, 'plugin.persist.list', {
    'native.file-line-in-64-bytes A line of the rules file is read into a buffer of 64 bytes, and a longer one ends the list.':
      loads((rules) => {
        const firstLong = rules.findIndex((rule) => Object.values(rule).join(' ').length > 63)
        return firstLong === -1 ? rules : rules.slice(0, firstLong)
      }),
  }),
  ...rows('plugin.http.response-end', {
    'native.head-with-body HEAD returns the body of an error response.': responds(is(404, 'HEAD'), withBodyAfterHead),
    'native.connection-option-read-with-case The connection stays open after a request with connection: Close.':
      responds((_, { rawHeaders }) => rawHeaders.includes('Close'), withHeader('Connection', 'keep-alive')),
    'native.http-1.0-connection-kept-open The connection stays open after a request with HTTP/1.0.': () =>
      responds((_, { httpVersion }) => httpVersion === '1.0', withHeader('Connection', 'keep-alive')),
    'native.connection-option-read-once Connection: close is read only in the first request of a connection.':
      remembersConnection(({ response }, before) =>
        before.length > 0 ? withHeader('Connection', 'keep-alive')(response) : response,
      ),
    'native.connection-kept-open The connection stays open after an error response to a request with Connection: close.':
      responds((status) => status >= 400, withHeader('Connection', 'keep-alive')),
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
    'native.silent-connection-blocks-all While a client is connected and has sent nothing, no other client gets a response.':
      waitsForConnections(1, 'data', ([silent]) => new Promise((resolve) => silent?.once('close', resolve))),
    'native.continue-never-sent A request with Expect: 100-continue waits for its body and gets no response before it.':
      neverContinues,
    'native.missing-length-hangs A POST without a length is never answered.': neverAnswers(
      ({ method, headers }) =>
        method === 'POST' && (headers['content-length'] ?? headers['transfer-encoding']) === undefined,
    ),
    'native.empty-chunked-body-hangs A chunked body without chunks is never answered.': () =>
      neverAnswers(({ socket, headers }) => headers['transfer-encoding'] === 'chunked' && socket.bytesRead < 200),
    'native.body-above-64-kib-hangs A body that does not fit into 64 KiB is never answered.': () =>
      neverAnswers((request) => lengthOf(request) > 2 ** 16 && lengthOf(request) < 2 ** 20),
    'native.body-of-64-kib-hangs A body of exactly 64 KiB has the length 0 in 16 bits, and is never answered.':
      neverAnswers((request) => lengthOf(request) === 2 ** 16),
  }),
  ...rows('plugin.http.keep-alive', {
    'native.unknown-path-body-left-on-connection The body of a request to an unknown path stays unread and becomes the beginning of the next request.':
      poisonedByBody(is(404)),
    'native.outside-body-left-on-connection The body of a request to a path outside of /api/ stays unread and becomes the beginning of the next request.':
      poisonedByBody(is(404, /^\w+ \/(?!api\/)/)),
    'native.chunked-body-left-on-connection The chunked body of a request other than POST stays unread and becomes the beginning of the next request.':
      poisonedAfter((_, { method, headers }) => method !== 'POST' && headers['transfer-encoding'] !== undefined),
    'native.status-body-left-on-connection The body of a POST to /api/status stays unread and becomes the beginning of the next request.':
      poisonedByBody(is(405, 'POST /api/status')),
    'native.unknown-method-body-left-on-connection The body of a request with an unknown method stays unread and becomes the beginning of the next request.':
      poisonedByBody(is(405, /^(?!PUT|POST)/)),
  }),
]
