import { failure } from '../../assertions/expect.ts'
import type { FailedExpectation } from '../../assertions/failure.ts'
import type { Observer } from '../../client/observed.ts'
import { listIn } from '../../session/rules.ts'

/** Compares the `total` of every list of a run with the number of its rules. */
export function createTotals() {
  let found: FailedExpectation | null = null
  return {
    observe: ((sent) => (received) => {
      if (sent.kind !== 'request') return
      for (const response of received.responses) {
        const length = listIn(sent.request, response)?.length
        const { total: actual } = (response.json ?? {}) as { readonly total?: unknown }
        if (length === undefined || actual === length) continue
        found ??= failure('list.total-wrong', { expected: length, actual, response })
      }
    }) satisfies Observer,
    /** The first list with a wrong total; null if there is none. */
    get found() {
      return found
    },
  }
}
