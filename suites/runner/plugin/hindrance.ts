import { expectStatus, failure } from '../../assertions/expect.ts'
import { FailedExpectation } from '../../assertions/failure.ts'
import type { Exchange } from '../../client/exchange.ts'
import { responseOf } from '../../client/response.ts'
import { isOrdinary } from '../../session/ordinary-requests.ts'
import type { Hindered } from '../server-under-test.ts'

/**
 * The failure of the server that kept a check from being judged: nothing but ordinary requests was
 * sent, and the last one was not answered as documented. Null where anything else may be the reason,
 * such as an attack of the check.
 */
export function hindrance({ exchanges, cause }: Hindered): FailedExpectation | null {
  const last = exchanges.at(-1)
  if (last === undefined) return cause
  if (!exchanges.every(isOrdinary) || repeatsRule(exchanges)) return null
  const { request, response } = last
  if (response === null)
    return failure('response.missing', { reason: last.failure ?? '', difference: null, response: { exchange: last } })
  // Rate limits are not specified (clause 8).
  if (response.status === 429) return null
  const expected = request.method === 'POST' ? 201 : 200
  if (response.status !== expected) return wrongStatus(last, expected)
  return cause
}

/** Two rules with the same logins may be rejected. */
function repeatsRule(exchanges: readonly Exchange[]): boolean {
  const bodies = exchanges.flatMap(({ request }) => (request.method === 'POST' ? [request.body] : []))
  const pairs = bodies.map((body) => {
    const { master, follower } = JSON.parse(body ?? '') as { master: number; follower: number }
    return `${master}>${follower}`
  })
  return new Set(pairs).size < pairs.length
}

function wrongStatus(exchange: Exchange, expected: 200 | 201): FailedExpectation | null {
  const { status = 0, headers = [], body } = exchange.response ?? {}
  const named = headers.map(([name, value]) => [name.toLowerCase(), value] as const)
  try {
    expectStatus(responseOf(status, Object.fromEntries(named), Buffer.from(body ?? ''), exchange), expected)
    return null
  } catch (error) {
    if (error instanceof FailedExpectation) return error
    throw error
  }
}
