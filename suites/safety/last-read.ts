import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../client/client.ts'
import type { Observer, Received, Sent } from '../client/observed.ts'
import type { Request } from '../client/request.ts'
import type { HttpResponse } from '../client/response.ts'

export type LastRead = ReturnType<typeof createLastRead>

/** After this time another client may have changed the list. A DELETE must immediately follow the read of its index. */
const freshMs = 50

/** Caches the last list until something else is sent: that after one write is also the one before the next. */
export function createLastRead() {
  let last: { readonly request: Request; readonly response: HttpResponse; readonly readAt: number } | null = null
  let isOffered = false
  let started = 0
  let underWay = 0
  /** Whether an earlier request may still take effect, so that one read is not enough. */
  let isLate = false

  const forget = () => {
    last = null
    isOffered = false
  }
  const current = (request: Request) => {
    if (last === null || performance.now() - last.readAt > freshMs) return null
    return isDeepStrictEqual(request, last.request) ? last.response : null
  }
  const ended = (sent: Sent, received: Received, wasAlone: boolean) => {
    const [response] = received.responses
    if (sent.kind === 'bytes' || response === undefined || response.status >= 500) {
      isLate = true
      return
    }
    // Responses to other requests may have another list.
    const isListRead = sent.request.method === 'GET' && sent.request.path === '/api/rules'
    if (!wasAlone || !isListRead || response.status !== 200) return
    if (!isLate) last = { request: sent.request, response, readAt: performance.now() }
    isLate = false
  }

  const reading =
    (mayReuse: () => boolean) =>
    (client: Client): Client =>
    (request) => {
      const response = mayReuse() ? current(request) : null
      return response === null ? client(request) : Promise.resolve(response)
    }

  return {
    /** Must observe everything that is sent to the server. */
    observe: ((sent) => {
      forget()
      started += 1
      underWay += 1
      const number = started
      const isAlone = underWay === 1
      return (received) => {
        underWay -= 1
        ended(sent, received, isAlone && number === started)
      }
    }) satisfies Observer,
    /** A client that reuses the last list instead of reading it again. */
    reuse: reading(() => true),
    /** The same for a check, which gets each offered list only once, so that repeated reads are sent. */
    serve: reading(() => {
      const wasOffered = isOffered
      isOffered = false
      return wasOffered
    }),
    offer() {
      isOffered = true
    },
    forget,
  }
}
