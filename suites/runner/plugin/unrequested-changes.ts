import { FailedExpectation } from '../../assertions/failure.ts'
import { unrequestedChange } from '../../assertions/unrequested-change.ts'
import type { Client, Request } from '../../client/client.ts'
import type { Exchange } from '../../client/exchange.ts'
import type { RawClient } from '../../client/raw.ts'
import type { HttpResponse } from '../../client/response.ts'
import type { Rule } from '../../model/rule.ts'
import { mayChangeList } from '../../session/harmless-requests.ts'
import { rulesIn } from '../../session/rules.ts'

/** The changes that no request asked for, on all servers of a run that the kit started. It sends nothing. */
export interface Changes {
  /** What is seen of the server at this base URL. */
  at(url: string): ChangeWatch
  /** A server was started, stopped or killed: nothing is known of the lists. */
  forget(): void
  /** The next check begins: what was left without a response has come to its end. */
  nextCheck(): void
  /** The first such change; null for none. */
  readonly found: FailedExpectation | null
}

export function createChanges(): Changes {
  const watches = new Map<string, ChangeWatch>()
  return {
    at(url) {
      const watch = watches.get(url) ?? createChangeWatch()
      watches.set(url, watch)
      return watch
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
interface ChangeWatch {
  watchClient(client: Client): Client
  watchRaw(raw: RawClient): RawClient
  forget(): void
  nextCheck(): void
  readonly found: FailedExpectation | null
}

function createChangeWatch(): ChangeWatch {
  let known: readonly Rule[] | null = null
  /** What was sent since the list was known. */
  let since: Exchange[] = []
  /** How many requests are under way. */
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
    watchClient: (client) => async (request) => {
      const wasAlone = open === 0
      if (!wasAlone) forget()
      open += 1
      const before = forgotten
      try {
        const response = await client(request)
        // With two requests at once, the order in which the server applies them is not known.
        if (wasAlone && before === forgotten) see(request, response)
        else forget()
        return response
      } catch (error) {
        isChangePending ||= mayChangeList(request)
        throw error
      } finally {
        open -= 1
      }
    },
    watchRaw: (raw) => async (request) => {
      forget()
      open += 1
      try {
        const result = await raw(request)
        isChangePending ||= result.end !== 'answered'
        return result
      } finally {
        open -= 1
        forget()
      }
    },
    get found() {
      return found
    },
  }
}

/** The requests that succeeded although they must not; else the last ones, which are those of the check at hand. */
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
