import type { IncomingHttpHeaders } from 'node:http'
import {
  type Exchange,
  holdResponse,
  overConnectionLimit,
  readsBytes,
  remembersConnection,
  repeatsLastError,
  sharedBuffer,
} from '../../defect-parts/connections.ts'
import { after, emptyIfLate, losing, whenBodyIsLate } from '../../defect-parts/events.ts'
import { type Applies, asks, is, reject, textOf, withStatus } from '../../defect-parts/wire.ts'
import type { Hooks } from '../hooks/hooks.ts'
import { type Defect, rows } from './defect.ts'
import type { Mutation, Right } from './known.ts'
import { argument, asError, ignores, on, rejectsEveryKey, responds, result, savesNothing } from './overrides.ts'

/** A server that returns 400 depending on earlier requests on the same connection. */
function rejectsOnConnection(
  isRejected: (now: Exchange, before: readonly Exchange[]) => boolean,
  message = 'Bad request.',
): Mutation {
  const rejected = asError(400, message)
  return remembersConnection((now, before, hooks: Hooks) =>
    isRejected(now, before) ? rejected(now.response, now.request, hooks) : now.response,
  )
}

/** A server that returns 400 to the request after a matching one on the same connection. */
export function poisonedAfter(poisons: Applies, message?: string): Mutation {
  const isPoison = ({ response, request }: Exchange) => poisons(response.status, request)
  return rejectsOnConnection((_, before) => before.slice(-1).some(isPoison), message)
}

/** A server that leaves the body of a request with this method unread. */
const leavesBodyOf = (method: string) =>
  poisonedAfter((_, request) => request.method === method && request.headers['content-length'] !== undefined)

const isPost = ({ request }: Exchange) => asks(request, 'POST')

/**
 * Detects by the response that the body was not valid JSON. A body that is not valid UTF-8 does not reach the parser.
 */
const isInvalidJson = ({ response }: Exchange) =>
  response.status === 400 && /Invalid JSON(?!: the body is not UTF-8)/.test(textOf(response))

const isDelete = ({ request }: Exchange) => asks(request, 'DELETE')

const isCreated = ({ response }: Exchange) => response.status === 201

/** Matches a request that the HTTP parser rejects with one of these error codes. */
const fault = (codes: RegExp) => on('unparsable', (_, code) => codes.test(code))

function hasBody(headers: IncomingHttpHeaders): boolean {
  return (headers['content-length'] ?? headers['transfer-encoding']) !== undefined
}

/** A server with four workers, each of which blocks until its request body arrives. */
function rejectsWhileStalled(rejects: (headers: IncomingHttpHeaders) => boolean): Mutation {
  return ({ readApiKeyHeader, partialBody, finish }) => {
    const waiting = new Set<IncomingHttpHeaders>()
    return {
      readApiKeyHeader: (headers) => {
        if (waiting.size >= 4 && rejects(headers)) reject(503, 'All workers are busy.')
        if (hasBody(headers)) waiting.add(headers)
        return readApiKeyHeader(headers)
      },
      partialBody: (bytes) => {
        // The client that has stalled longest.
        for (const first of [...waiting].slice(0, 1)) waiting.delete(first)
        return partialBody(bytes)
      },
      finish: (response, request) => {
        waiting.delete(request.headers)
        return finish(response, request)
      },
    }
  }
}

const inSamePacket = (now: Exchange, before: readonly Exchange[]) =>
  before.filter(({ bytesRead }) => bytesRead === now.bytesRead)

/** HTTP: connections, chunked bodies, concurrent clients, malformed and pipelined requests. */
export const httpDefects: readonly Defect[] = [
  ...rows('plugin.http.keep-alive', {
    'http.error-repeated-for-next-request After an error, the next request on the connection gets the same response.':
      repeatsLastError,
    'http.rejected-body-left-on-connection The body of a rejected POST is read as the beginning of the next request.':
      poisonedAfter((status, { method }) => method === 'POST' && status >= 400, 'Unknown method {"master":.'),
    'http.connection-poisoned-by-401 The body of a request without the key stays unread and becomes the beginning of the next request.':
      poisonedAfter(is(401)),
    'http.connection-poisoned-by-405 The body of a request with a disallowed method stays unread and becomes the beginning of the next request.':
      poisonedAfter(is(405)),
    'http.success-is-false-after-error After an error, success is false in the next response on the connection.':
      remembersConnection(({ response }, before) =>
        before.slice(-1).some(({ response: { status } }) => status >= 400)
          ? { ...response, body: Buffer.from(textOf(response).replace('"success":true', '"success":false')) }
          : response,
      ),
    'http.second-post-reads-first-body The second POST on a connection is read with the body of the first.':
      rejectsOnConnection((now, before) => isPost(now) && before.some(isPost)),
    'http.later-posts-confirm-the-first The response to a later POST on a connection has the logins of the first.':
      remembersConnection((now, before) => (isCreated(now) && before.find(isCreated)?.response) || now.response),
    'http.delete-waits-for-a-body A DELETE without a length is never answered after a POST on the connection.':
      remembersConnection(({ response, request }, before) => {
        if (asks(request, 'DELETE') && before.some(isPost)) holdResponse(request)
        return response
      }),
    'http.later-packet-returns-400 A request on an open connection returns 400 unless it arrives together with the one before.':
      rejectsOnConnection((now, before) => before.slice(-1).some(({ bytesRead }) => bytesRead < now.bytesRead)),
    'http.no-body-after-head A response has no body if HEAD was requested on its connection before.':
      remembersConnection(({ response }, before) =>
        before.some(({ request }) => request.method === 'HEAD') ? { ...response, body: undefined } : response,
      ),
    'http.pipelined-after-error-dropped A request in the same packet as one that returned an error is read as the rest of that one.':
      rejectsOnConnection((now, before) => inSamePacket(now, before).some(({ response }) => response.status >= 400)),
    'http.pipelined-requests-share-body A pipelined request gets the body of the response to the request before it.':
      remembersConnection((now, before) => {
        const [first = now] = inSamePacket(now, before)
        return { ...now.response, body: first.response.body }
      }),
    'http.delete-body-left-on-connection The body of a DELETE stays unread and becomes the beginning of the next request.':
      leavesBodyOf('DELETE'),
    'http.options-body-left-on-connection The body of an OPTIONS stays unread and becomes the beginning of the next request.':
      leavesBodyOf('OPTIONS'),
  }),
  ...rows('plugin.http.pipelined-change', {
    'http.pipelined-after-post-closed The connection is closed without notice if another request is in the packet of a POST.':
      remembersConnection((now, before) => {
        if (inSamePacket(now, before).some(isPost)) now.request.socket.destroy()
        return now.response
      }),
    'http.pipelined-list-outdated A list that is requested in the packet of a POST is the one before that POST.':
      remembersConnection((now, before, { ruleBody, indexOf, listBody, encodeJson, known }: Right) => {
        if (!asks(now.request, 'GET /api/rules') || !inSamePacket(now, before).some(isPost)) return now.response
        const rules = known.rules.filter((rule) => rule !== known.newest)
        return { ...now.response, body: encodeJson(listBody(rules.map((rule, at) => ruleBody(rule, indexOf(at))))) }
      }),
  }),
  ...rows('plugin.delete.keeps-order', {
    'http.second-delete-misread The index of the second DELETE on a connection is appended to that of the first, and returns 400.':
      rejectsOnConnection((now, before) => isDelete(now) && before.some(isDelete)),
  }),
  ...rows('plugin.http.any-framing', {
    'http.upgrade-offer-returns-400 A request with a header named Upgrade returns 400.': () =>
      responds((_, { headers }) => headers.upgrade !== undefined, withStatus(400)),
    'http.letters-outside-of-ascii-return-400 A header with a byte above 127 returns 400.': () =>
      responds((_, { rawHeaders }) => rawHeaders.some((part) => /[^ -~]/.test(part)), withStatus(400)),
    'http.bodies-share-a-buffer Bodies that arrive at the same time are read from one buffer, so each is the first one.':
      ({ asksForKey, joinBody }) => {
        let incomplete = 0
        let first: Uint8Array | undefined
        return {
          asksForKey: (received) => {
            if (received.method === 'POST') incomplete += 1
            else incomplete = 0
            return asksForKey(received)
          },
          joinBody: (packets) => {
            const body = joinBody(packets)
            if (incomplete > 1) first = body
            incomplete -= 1
            const read = first ?? body
            if (incomplete <= 0) first = undefined
            return read
          },
        }
      },
    'http.chunked-body-returns-400 A body without Content-Length returns 400.': argument('readApiKeyHeader')(
      (headers) => (headers['transfer-encoding'] === undefined ? headers : reject(400, 'The length is missing.')),
    ),
    'http.chunked-body-added-with-411 A POST with a chunked body adds its rule and returns 411.': () =>
      responds((status, { headers }) => status === 201 && headers['transfer-encoding'] !== undefined, withStatus(411)),
    'http.late-body-read-as-empty A body that does not arrive together with its head is read as empty.':
      whenBodyIsLate<Hooks>(emptyIfLate),
    'http.pause-ends-the-body A body that does not arrive within half a second is read as empty.':
      whenBodyIsLate<Hooks>(emptyIfLate, 500),
    'http.late-body-added-twice A rule whose body does not arrive together with its head is added twice.':
      whenBodyIsLate<Hooks>(({ decodeText, addRule }, isLate) => {
        let addsTwice = false
        return {
          decodeText: (bytes) => {
            addsTwice = isLate()
            return decodeText(bytes)
          },
          addRule: (rules, rule) => addRule(addsTwice ? addRule(rules, rule).rules : rules, rule),
        }
      }),
    'http.large-body-in-pieces-lost A POST with more than 4 KiB that do not arrive together with its head returns 201, and adds nothing.':
      whenBodyIsLate<Hooks>(({ decodeText, addRule }, isLate) => {
        let isLost = false
        return {
          decodeText: (bytes) => {
            isLost = isLate() && bytes.length > 4096
            return decodeText(bytes)
          },
          addRule: (rules, rule) => (isLost ? { rules, position: rules.length } : addRule(rules, rule)),
        }
      }),
    'http.coding-name-read-with-case A body with Transfer-Encoding: Chunked is read as empty.': () =>
      argument('joinBody')((packets, _, { headers }) => (headers['transfer-encoding'] === 'Chunked' ? [] : packets)),
    'http.content-length-read-with-case A body with content-length in lower case is read as empty, and returns 400.':
      responds((_, { rawHeaders }) => rawHeaders.includes('content-length'), asError(400, 'Invalid JSON.')),
    'http.empty-body-of-get-rejected A GET with Content-Length: 0 returns 400.': responds(
      (_, { method, headers }) => method === 'GET' && headers['content-length'] === '0',
      asError(400, 'A GET has no body.'),
    ),
    'http.headers-after-length-ignored Headers after Content-Length are ignored.': () =>
      result('readApiKeyHeader')((key, [headers]) => {
        const names = Object.keys(headers)
        return names.indexOf('x-api-key') < names.indexOf('content-length') || !names.includes('content-length')
          ? key
          : undefined
      }),
    'http.trailing-space-is-part-of-key A trailing space of a header is read as part of the key.': () =>
      readsBytes(/X-API-Key:[^\r]* \r\n/, asError(401, 'Wrong key.')),
    'http.chunk-extension-returns-400 A chunk size with an extension is not read as a number, and returns 400.':
      readsBytes(/\r\n[\da-f]+;/i, asError(400, 'Invalid chunk.')),
    'http.zero-before-chunk-size-returns-400 A chunk size with a zero in front is rejected.': () =>
      readsBytes(/\r\n0[\da-f]+\r\n/i, asError(400, 'Invalid chunk.')),
    'http.upper-case-chunk-size-returns-400 A chunk size with upper-case digits is not read as a number, and returns 400.':
      readsBytes(/\r\n\d*[A-F]+\d*\r\n/, asError(400, 'Invalid chunk.')),
    'http.trailer-left-on-connection The trailer of a chunked body stays unread and becomes the beginning of the next request.':
      poisonedAfter((_, { rawTrailers }) => rawTrailers.length > 0),
    'http.absolute-target-unknown A target with the URL of the server in front of the path returns 404.': () =>
      result('splitTarget')((right, [target]) => (target.startsWith('http:') ? { path: target, query: '' } : right)),
  }),
  ...rows('plugin.robust.overlapping-requests', {
    'http.more-than-eight-connections-return-503 With more than eight open connections, requests return 503.':
      overConnectionLimit(8, asError(503, 'Busy.')),
    'http.responses-share-a-buffer With more than four open connections, a request gets the response to another one.':
      sharedBuffer(4),
  }),
  ...rows('plugin.http.ordinary-requests', {
    'http.invalid-json-poisons-connection After invalid JSON, every POST on the same connection returns 400.':
      rejectsOnConnection((now, before) => isPost(now) && before.some(isInvalidJson)),
    'http.first-post-after-a-400-not-added A POST directly after a 400 returns 201, but its rule is not added.':
      ignores((_, { status }) => status === 400),
  }),
  ...rows('plugin.add.requires-every-field', {
    'http.missing-field-from-connection A missing field is taken from the request before on the same connection.':
      remembersConnection((now, before) =>
        isPost(now) && now.response.status === 400 && before.some(isCreated)
          ? { ...now.response, status: 201, body: Buffer.from('{"success":true,"index":0,"master":1,"follower":2}') }
          : now.response,
      ),
  }),
  ...rows('plugin.robust.survives', {
    'malformed.chunk-size-prevents-saving After a chunk size that is not a number, the lock of the file is never released, and every change returns 500.':
      after(fault(/CHUNK_SIZE/), savesNothing),
    'malformed.many-headers-overwrite-key More than 500 headers overwrite the key, and every later request is rejected.':
      after(
        on('readApiKeyHeader', (headers) => Object.keys(headers).length > 500),
        rejectsEveryKey,
      ),
    'malformed.stalled-clients-block-all While four request bodies are incomplete, all other requests return 503.':
      rejectsWhileStalled(() => true),
    'malformed.stalled-clients-block-writers While four request bodies are incomplete, every other request with a body returns 503.':
      rejectsWhileStalled(hasBody),
    'malformed.stalled-clients-block-chunks While four request bodies are incomplete, every other request with a chunked body returns 503.':
      rejectsWhileStalled((headers) => headers['transfer-encoding'] !== undefined),
    'malformed.cut-off-body-occupies-worker Each body that is cut off occupies one of four workers forever.': () =>
      losing(on('partialBody'), 4),
    'malformed.length-overflows A Content-Length that is not a number overflows its variable, and the server stops responding.':
      losing(fault(/INVALID_CONTENT_LENGTH/)),
    'malformed.second-length-blocks-worker After two Content-Length headers, the only worker waits for the longer body.':
      losing(fault(/UNEXPECTED_CONTENT_LENGTH/)),
    'malformed.chunk-size-overflows Each chunk size that is not a number blocks one of two workers forever.': () =>
      losing(fault(/CHUNK_SIZE/), 2),
    'malformed.unknown-coding-hangs After an unknown transfer coding, the server stops responding.': () =>
      losing(fault(/TRANSFER_ENCODING/)),
    'malformed.header-without-colon-hangs The colon of a header is searched for beyond its line, and the server stops responding.':
      losing(fault(/HEADER_TOKEN/)),
    'malformed.request-line-blocks-worker Each unusual request line blocks one of two workers forever.': () =>
      losing(fault(/VERSION|CONSTANT|URL/), 2),
  }),
]
