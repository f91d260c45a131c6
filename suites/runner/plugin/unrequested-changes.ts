import { FailedExpectation } from '../../assertions/failure.ts'
import { unrequestedChange } from '../../assertions/unrequested-change.ts'
import type { Request } from '../../client/client.ts'
import type { Exchange } from '../../client/exchange.ts'
import type { Observer, Received, Sent } from '../../client/observed.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Rule } from '../../model/rule.ts'
import { mayChangeList } from '../../session/harmless-requests.ts'
import { rulesIn } from '../../session/rules.ts'

/** The changes that no request asked for, on all servers of a run that the kit started. It sends nothing. */
export interface Changes {
  readonly observe: Observer
  /** A server was started, stopped or killed: nothing is known of the lists. */
  forget(): void
  /** The next check begins: what was left without a response has come to its end. */
  nextCheck(): void
  /** The first such change; null for none. */
  readonly found: FailedExpectation | null
}

export function createChanges(): Changes {
  const watches = new Map<string, Changes>()
  return {
    observe(sent) {
      const watch = watches.get(sent.url) ?? createChangeWatch()
      watches.set(sent.url, watch)
      return watch.observe(sent)
    },
    forget() {
      for (const watch of watches.values()) watch.forget()
    },
    nextCheck() {
      for (const watch of watches.values()) watch.nextCheck()
    },
    get found() {
      return [...watches.values()].find(({ found }) => found !== null)?.found ?? null
    },
  }
}

/**
 * Looks at every request to one server: between two lists with nothing between them but requests that
 * must change nothing, the list has to stay as it was.
 */
function createChangeWatch(): Changes {
  let known: readonly Rule[] | null = null
  /** What was sent since the list was known. */
  let since: Exchange[] = []
  /** How many requests are in flight. */
  let open = 0
  /** Counts what makes the list unknown. */
  let forgotten = 0
  /** A change that got no response may still come. */
  let isChangePending = false
  let found: FailedExpectation | null = null

  const forget = () => {
    known = null
    since = []
    forgotten += 1
  }
  const compare = (list: readonly Rule[], response: HttpResponse) => {
    if (known !== null && !isChangePending) {
      found ??= unrequestedChange(list, known, { after: describe(since), steps: [...since, response.exchange] })
    }
    known = list
    since = [response.exchange]
  }
  const see = (request: Request, response: HttpResponse) => {
    if (mayChangeList(request) && response.status < 400) return forget()
    const list = listIn(request, response)
    if (list === null) since.push(response.exchange)
    else compare(list, response)
  }
  return {
    forget,
    nextCheck() {
      if (isChangePending) forget()
      isChangePending = false
    },
    observe(sent) {
      const wasAlone = open === 0 && sent.kind === 'request'
      if (!wasAlone) forget()
      open += 1
      const before = forgotten
      return (received) => {
        open -= 1
        // With two requests at once, the order in which the server applies them is not known.
        const isKnown = wasAlone && before === forgotten && received.kind === 'response'
        if (isKnown) see(sent.request, received.response)
        else if (received.kind !== 'error' || sent.kind === 'bytes') forget()
        isChangePending ||= mayHaveChanged(sent, received)
      }
    },
    get found() {
      return found
    },
  }
}

/** Whether a change that got no response may still come. */
function mayHaveChanged(sent: Sent, received: Received): boolean {
  if (received.kind === 'bytes') return received.result.end !== 'answered'
  return received.kind === 'error' && sent.kind === 'request' && mayChangeList(sent.request)
}

/** The requests that succeeded although they must not; else the last ones, which are those of the current check. */
function describe(exchanges: readonly Exchange[]): string {
  const suspects = exchanges.filter(isSuspect)
  const lines = (suspects.length > 0 ? suspects : exchanges).map(({ request, response }) => {
    const { pathname, search } = new URL(request.url)
    return `${request.method} ${pathname}${search} (${response?.status ?? 'no response'})`
  })
  return lines.slice(-3).join(', ')
}

/** A read of the status or the list may succeed in any spelling, and OPTIONS on any path. A single rule cannot be read. */
function isSuspect({ request: { method, url }, response }: Exchange): boolean {
  const isOfRule = /\/api\/rules\/.+/.test(new URL(url).pathname)
  const maySucceed = method === 'OPTIONS' || (['GET', 'HEAD'].includes(method) && !isOfRule)
  return response !== null && response.status >= 200 && response.status < 300 && !maySucceed
}

/** The list in the response to an ordinary GET of the rules; null for any other response. */
function listIn({ method, path }: Request, response: HttpResponse): readonly Rule[] | null {
  if (method !== 'GET' || path !== '/api/rules' || response.status !== 200) return null
  try {
    return rulesIn(response)
  } catch (error) {
    if (error instanceof FailedExpectation) return null
    throw error
  }
}
