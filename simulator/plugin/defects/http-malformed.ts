import type { IncomingHttpHeaders } from 'node:http'
import type { PluginRequirementId } from '../../../spec/plugin/requirements.ts'
import { reject } from '../../defect-parts/reject.ts'
import { asks } from '../../defect-parts/wire.ts'
import type { HttpResponse } from '../../server/response.ts'
import type { RuleList } from '../model/rule-list.ts'
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

function hasBody(headers: IncomingHttpHeaders): boolean {
  return (headers['content-length'] ?? headers['transfer-encoding']) !== undefined
}

/** A server with four workers, each of which waits for the body of its request. */
function rejectsWhileStalled(rejects: (headers: IncomingHttpHeaders) => boolean): Defect['override'] {
  return ({ readApiKeyHeader, brokenOff, finish }) => {
    const waiting = new Set<IncomingHttpHeaders>()
    return {
      readApiKeyHeader: (headers) => {
        if (waiting.size >= 4 && rejects(headers)) reject(503, 'All workers are busy.')
        if (hasBody(headers)) waiting.add(headers)
        return readApiKeyHeader(headers)
      },
      brokenOff: (bytes) => {
        // The client that stalled longest.
        for (const first of [...waiting].slice(0, 1)) waiting.delete(first)
        return brokenOff(bytes)
      },
      finish: (response, request) => {
        waiting.delete(request.headers)
        return finish(response, request)
      },
    }
  }
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
  {
    id: 'malformed.nothing-saved-after-a-chunk-size',
    breaks: ['plugin.robust.survives'],
    summary:
      'After a chunk size that is not a number, the lock of the file is never released, and every change returns 500.',
    override: ({ unparsable, save, notSaved }) => {
      let isLocked = false
      return {
        unparsable: (problem, code) => {
          isLocked ||= /CHUNK_SIZE/.test(code)
          return unparsable(problem, code)
        },
        save: async (write, change) => {
          if (isLocked) throw notSaved()
          await save(write, change)
        },
      }
    },
  },
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
    summary: 'While four request bodies are incomplete, all other requests return 503.',
    override: rejectsWhileStalled(() => true),
  },
  {
    id: 'malformed.four-stalled-clients-lock-writers-out',
    breaks: ['plugin.robust.survives'],
    summary: 'While four request bodies are incomplete, every other request with a body returns 503.',
    override: rejectsWhileStalled(hasBody),
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
    id: 'http.late-body-added-twice',
    breaks: ['plugin.http.any-framing'],
    summary: 'A rule whose body does not arrive together with its head is added twice.',
    override: ({ readApiKeyHeader, decodeText, addRule }) => {
      let isLate = false
      let isTwice = false
      return {
        readApiKeyHeader: (headers) => {
          isLate = false
          setImmediate(() => {
            isLate = true
          })
          return readApiKeyHeader(headers)
        },
        decodeText: (bytes) => {
          isTwice = isLate
          return decodeText(bytes)
        },
        addRule: (rules, rule) => addRule(isTwice ? addRule(rules, rule).rules : rules, rule),
      }
    },
  },
  {
    id: 'http.packet-dropped-behind-an-error',
    breaks: ['plugin.http.keep-alive'],
    summary: 'A request in the same packet as one that returned an error is read as the rest of that one.',
    override: ({ errorBody, encodeJson }) => {
      const failed = new WeakMap<object, number>()
      return {
        finish: (response, { socket }) => {
          if (failed.get(socket) === socket.bytesRead)
            return { ...response, status: 400, body: encodeJson(errorBody('Bad request.', 400)) }
          if (response.status >= 400) failed.set(socket, socket.bytesRead)
          return response
        },
      }
    },
  },
  {
    id: 'http.packet-dropped-behind-a-body',
    breaks: ['plugin.http.keep-alive'],
    summary: 'The connection is closed without notice if another request is in the packet of a POST.',
    override: () => {
      const posted = new WeakMap<object, number>()
      return {
        finish: (response, { method, socket }) => {
          if (posted.get(socket) === socket.bytesRead) socket.destroy()
          if (method === 'POST') posted.set(socket, socket.bytesRead)
          return response
        },
      }
    },
  },
  {
    id: 'http.pipelined-list-is-read-at-once',
    breaks: ['plugin.http.keep-alive'],
    summary: 'A list that is requested in the packet of a POST is the one before that POST.',
    override: ({ addRule, ruleBody, indexOf, listBody, encodeJson }) => {
      const posted = new WeakMap<object, number>()
      let before: RuleList = []
      return {
        addRule: (rules, rule) => {
          before = rules
          return addRule(rules, rule)
        },
        finish: (response, request) => {
          const { method, socket } = request
          const isPipelined = posted.get(socket) === socket.bytesRead
          if (method === 'POST') posted.set(socket, socket.bytesRead)
          if (!isPipelined || !asks(request, 'GET /api/rules')) return response
          return { ...response, body: encodeJson(listBody(before.map((rule, at) => ruleBody(rule, indexOf(at))))) }
        },
      }
    },
  },
  {
    id: 'http.pipelined-requests-get-one-answer',
    breaks: ['plugin.http.keep-alive'],
    summary: 'A pipelined request gets the body of the response to the request before it.',
    override: ({ finish }) => {
      const responded = new WeakMap<object, { readonly response: HttpResponse; readonly bytesRead: number }>()
      return {
        finish: (given, request) => {
          const { socket } = request
          const before = responded.get(socket)
          const own = finish(given, request)
          const response = before?.bytesRead === socket.bytesRead ? { ...own, body: before.response.body } : own
          responded.set(socket, { response, bytesRead: socket.bytesRead })
          return response
        },
      }
    },
  },
]
