import { expectStatus, failure } from '../../assertions/expect.ts'
import { type FailedExpectation, failureOf } from '../../assertions/failure.ts'
import type { Exchange } from '../../client/exchange.ts'
import { isObject, parseJson } from '../../client/json.ts'
import { decodeBody } from '../../client/response.ts'
import { type Draft, loginsOf } from '../../model/rule.ts'
import type { UnjudgedCheck } from '../server-under-test.ts'

/**
 * The failure of the server that kept a check from being judged: only ordinary requests were sent, and the last response
 * was not as documented. Null if there may be another reason.
 */
export function blockingFailure({ exchanges, cause }: UnjudgedCheck): FailedExpectation | null {
  const last = exchanges.at(-1)
  if (last === undefined) return cause
  if (!exchanges.every(isOrdinary) || repeatsRule(exchanges)) return null
  const { request, response } = last
  if (response === null)
    return failure('response.missing', { reason: last.failure ?? '', difference: null, response: { exchange: last } })
  // Rate limits are not specified (clause 8).
  if (response.status === 429) return null
  const expected = request.method === 'POST' ? 201 : 200
  if (response.status === expected) return cause
  const body = decodeBody(Buffer.from(response.body ?? ''))
  const received = { status: response.status, reason: '', headers: {}, ...body, exchange: last }
  return failureOf(() => expectStatus(received, expected))
}

/** Two rules with the same logins may be rejected. */
function repeatsRule(exchanges: readonly Exchange[]): boolean {
  const bodies = exchanges.flatMap(({ request }) => (request.method === 'POST' ? [request.body] : []))
  const pairs = bodies.map((body) => loginsOf(JSON.parse(body ?? '') as Draft))
  return new Set(pairs).size < pairs.length
}

/** Whether any conforming server accepts a request. A DELETE is not ordinary, since its index may not exist. */
function isOrdinary({ request }: Exchange): boolean {
  if (!hasOrdinaryHeaders(request.headers)) return false
  const { pathname, search } = new URL(request.url)
  if (search !== '') return false
  if (request.method === 'GET') return request.body === null && /\/api\/(status|rules)$/.test(pathname)
  return request.method === 'POST' && pathname.endsWith('/api/rules') && isOrdinaryRule(request.body)
}

/** The right key is redacted entirely. */
const keyLine = 'x-api-key: [redacted]'

function hasOrdinaryHeaders(headers: Exchange['request']['headers']): boolean {
  const lines = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`)
  return lines.includes(keyLine) && lines.every((line) => [keyLine, 'content-type: application/json'].includes(line))
}

function isOrdinaryRule(body: string | null): boolean {
  const json = parseJson(Buffer.from(body ?? ''))
  const { master, follower, mode, value, direction, ...others } = isObject(json) ? json : {}
  const isOrdinaryLogin = (login: unknown) => Number.isInteger(login) && Number(login) > 0 && Number(login) < 2 ** 31
  return (
    Object.keys(others).length === 0 &&
    [master, follower].every(isOrdinaryLogin) &&
    master !== follower &&
    ['mult', 'multiplier', 'fixed'].includes(mode as string) &&
    typeof value === 'number' &&
    value >= 0.01 &&
    value <= 1000 &&
    ['same', 'reverse'].includes(direction as string)
  )
}
