import { malformedErrorIn } from '../../assertions/expect.ts'
import type { FailedExpectation } from '../../assertions/failure.ts'
import type { Client } from '../../client/client.ts'
import { isHead, type RawClient } from '../../client/raw.ts'
import type { HttpResponse } from '../../client/response.ts'

/** Judges the form of every error response of a run, whatever caused it. It sends nothing. */
export interface ErrorForms {
  /** What is seen of the server at this base URL. */
  at(url: string): Pick<ErrorWatch, 'watchClient' | 'watchRaw'>
  /** A server was given parameters. How a disabled API responds is open. */
  setDisabled(url: string, isDisabled: boolean): void
  /** The first error response of another form; null for none. */
  readonly found: FailedExpectation | null
}

interface ErrorWatch {
  watchClient(client: Client): Client
  watchRaw(raw: RawClient): RawClient
}

/** @param judgesRaw whether malformed requests reach the server itself, and not a proxy in front of it */
export function createErrorForms(judgesRaw: boolean): ErrorForms {
  const disabled = new Set<string>()
  let found: FailedExpectation | null = null
  const judge = (url: string, response: HttpResponse) => {
    if (response.status < 400 || disabled.has(url)) return
    found ??= malformedErrorIn(response)
  }
  return {
    at: (url) => ({
      watchClient: (client) => async (request) => {
        const response = await client(request)
        // A response to HEAD has no body.
        if (request.method !== 'HEAD') judge(url, response)
        return response
      },
      watchRaw: (raw) => async (request) => {
        const result = await raw(request)
        if (judgesRaw && !isHead(request)) for (const response of result.responses) judge(url, response)
        return result
      },
    }),
    setDisabled(url, isDisabled) {
      if (isDisabled) disabled.add(url)
      else disabled.delete(url)
    },
    get found() {
      return found
    },
  }
}
