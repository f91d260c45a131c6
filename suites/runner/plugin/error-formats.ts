import { malformedErrorIn } from '../../assertions/expect.ts'
import type { FailedExpectation } from '../../assertions/failure.ts'
import type { Observer } from '../../client/observed.ts'
import { isHead } from '../../client/raw.ts'

/**
 * Judges the form of every error response of a run. In front of a server that the kit did not start there can be a
 * reverse proxy, which rejects some requests itself, in its own form.
 */
export function createErrorFormats(owned: boolean) {
  const disabled = new Set<string>()
  let found: FailedExpectation | null = null
  return {
    observe: ((sent) => (received) => {
      // A response to HEAD has no body.
      const isOfHead = sent.kind === 'bytes' ? isHead(sent.request) : sent.request.method === 'HEAD'
      // A proxy may reject malformed HTTP, and a NUL, a slash or a damaged escape in the path.
      const mayReachServer = sent.kind === 'request' && !/%(?:00|2f|(?![\da-f]{2}))/i.test(sent.request.path)
      if (isOfHead || !(owned || mayReachServer)) return
      for (const response of received.responses) {
        const mayBeOfProxy = !owned && ofLimits.includes(response.status)
        if (response.status >= 400 && !mayBeOfProxy && !disabled.has(sent.url)) found ??= malformedErrorIn(response)
      }
    }) satisfies Observer,
    /** Called when a server gets parameters. The error responses of a disabled API are not specified. */
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

/** Statuses by which a proxy rejects large bodies, paths and headers. */
const ofLimits = [413, 414, 431]
