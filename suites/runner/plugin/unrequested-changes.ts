import { expectUnchanged } from '../../assertions/expect.ts'
import { type FailedExpectation, failureOf } from '../../assertions/failure.ts'
import type { Exchange } from '../../client/exchange.ts'
import type { Observer, Received, Sent } from '../../client/observed.ts'
import type { Request } from '../../client/request.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Rule } from '../../model/rule.ts'
import { mayChangeList } from '../../session/no-op-requests.ts'
import { listIn } from '../../session/rules.ts'

/** Detects unrequested changes on all servers that the kit started. Sends nothing. */
export function createChanges() {
  const watches = new Map<string, ReturnType<typeof createChangeWatch>>()
  return {
    observe: ((sent) => {
      const watch = watches.get(sent.url) ?? createChangeWatch()
      watches.set(sent.url, watch)
      return watch.observe(sent)
    }) satisfies Observer,
    /** Called when a server was started, stopped or killed: the lists are unknown. */
    forget() {
      for (const watch of watches.values()) watch.forget()
    },
    /** Called when the next check begins: requests without a response have ended. */
    nextCheck() {
      for (const watch of watches.values()) watch.nextCheck()
    },
    /** The first such change; null if there is none. */
    get found() {
      return [...watches.values()].find(({ found }) => found !== null)?.found ?? null
    },
  }
}

/** Between two reads the list of a server must stay the same unless a request in between may change it. */
function createChangeWatch() {
  let known: readonly Rule[] | null = null
  let since: Exchange[] = []
  let open = 0
  /** Counts the events that make the list unknown. */
  let forgotten = 0
  /** Whether a change without a response may still take effect. */
  let isChangePending = false
  let found: FailedExpectation | null = null

  const forget = () => {
    known = null
    since = []
    forgotten += 1
  }
  const compare = (list: readonly Rule[], response: HttpResponse) => {
    if (known !== null && !isChangePending) {
      const before = known
      const failed = failureOf(() => expectUnchanged(list, before, 'list.changed-unrequested'))
      const { exchange } = response
      found ??= failed?.with({ after: describe(since) }, { steps: [...since, exchange], exchange }) ?? null
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
    observe(sent: Sent) {
      const wasAlone = open === 0 && sent.kind === 'request'
      if (!wasAlone) forget()
      open += 1
      const before = forgotten
      return (received: Received) => {
        open -= 1
        // With two concurrent requests the order in which the server applies them is unknown.
        const isKnown = wasAlone && before === forgotten
        const [response] = received.responses
        if (isKnown && response !== undefined) see(sent.request, response)
        else if (response !== undefined || sent.kind === 'bytes') forget()
        isChangePending ||= mayHaveChanged(sent, received)
      }
    },
    get found() {
      return found
    },
  }
}

function mayHaveChanged(sent: Sent, received: Received): boolean {
  if (sent.kind === 'bytes') return received.broken !== null
  return received.responses.length === 0 && mayChangeList(sent.request)
}

/** The requests that succeeded although they must not, or else the last ones, which belong to the current check. */
function describe(exchanges: readonly Exchange[]): string {
  const possibleCauses = exchanges.filter(isPossibleCause)
  const lines = (possibleCauses.length > 0 ? possibleCauses : exchanges).map(({ request, response }) => {
    const { pathname, search } = new URL(request.url)
    return `${request.method} ${pathname}${search} (${response?.status ?? 'no response'})`
  })
  return lines.slice(-3).join(', ')
}

/** A read of the status or the list may succeed in any spelling, and OPTIONS on any path. A single rule cannot be read. */
function isPossibleCause({ request: { method, url }, response }: Exchange): boolean {
  const isOfRule = /\/api\/rules\/.+/.test(new URL(url).pathname)
  const maySucceed = method === 'OPTIONS' || (['GET', 'HEAD'].includes(method) && !isOfRule)
  return response !== null && response.status >= 200 && response.status < 300 && !maySucceed
}
