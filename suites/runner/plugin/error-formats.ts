import { malformedErrorIn } from '../../assertions/expect.ts'
import type { FailedExpectation } from '../../assertions/failure.ts'
import type { Observer } from '../../client/observed.ts'
import { isHead } from '../../client/raw.ts'
import type { HttpResponse } from '../../client/response.ts'

/**
 * Judges the form of every error response of a run. Sends nothing.
 *
 * @param judgesRaw whether malformed requests reach the server itself rather than a proxy
 */
export function createErrorFormats(judgesRaw: boolean) {
  const disabled = new Set<string>()
  let found: FailedExpectation | null = null
  const judge = (url: string, responses: readonly HttpResponse[]) => {
    for (const response of responses) {
      if (response.status >= 400 && !disabled.has(url)) found ??= malformedErrorIn(response)
    }
  }
  return {
    observe: ((sent) => (received) => {
      // A response to HEAD has no body.
      const isOfHead = sent.kind === 'bytes' ? isHead(sent.request) : sent.request.method === 'HEAD'
      if (isOfHead) return
      if (received.kind === 'response') judge(sent.url, [received.response])
      if (received.kind === 'bytes' && judgesRaw) judge(sent.url, received.result.responses)
    }) satisfies Observer,
    setDisabled(url: string, isDisabled: boolean) {
      if (isDisabled) disabled.add(url)
      else disabled.delete(url)
    },
    /** The first error response of another form; null if there is none. */
    get found() {
      return found
    },
  }
}
