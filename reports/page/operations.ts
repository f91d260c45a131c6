import type { Exchange } from '../../suites/client/exchange.ts'
import type { Report, ReportedRequirement } from '../report.ts'

const documented: readonly (readonly [operation: string, pattern: RegExp])[] = [
  ['GET /api/status', /^GET .*\/api\/status$/],
  ['GET /api/rules', /^GET .*\/api\/rules$/],
  ['POST /api/rules', /^POST .*\/api\/rules$/],
  ['DELETE /api/rules/{index}', /^DELETE .*\/api\/rules\/\d+$/],
  ['GET /v1/account', /^GET .*\/v1\/account$/],
  ['POST /v1/trading-accounts', /^POST .*\/v1\/trading-accounts$/],
  ['GET /v1/trading-accounts', /^GET .*\/v1\/trading-accounts$/],
]

/** The operation that an exchange belongs to, e.g. `DELETE /api/rules/{index}`, or `other requests`. */
export function operationOf({ request: { method, url } }: Exchange): string {
  const [address = ''] = url.split(/[?#]/, 1)
  return documented.find(([, pattern]) => pattern.test(`${method} ${address}`))?.[0] ?? 'other requests'
}

/** The operations that the checks of a requirement sent. */
export function operationsOf({ checks }: ReportedRequirement): ReadonlySet<string> {
  return new Set(checks.flatMap(({ exchanges }) => exchanges.map(operationOf)))
}

/** How long the responses of one operation took, in milliseconds and in order. */
export interface Latency {
  readonly operation: string
  readonly durationsMs: readonly number[]
}

/** The response times by operation, the most frequent first. An exchange that checks share counts once. */
export function latencies({ requirements, observations }: Report): readonly Latency[] {
  const checks = [...requirements.flatMap(({ checks }) => checks), ...observations]
  const exchanges = new Map(checks.flatMap(({ exchanges }) => exchanges.map((one) => [one.id, one] as const)))
  const found = new Map<string, number[]>()
  for (const exchange of exchanges.values()) {
    if (exchange.response === null) continue
    const operation = operationOf(exchange)
    const durations = found.get(operation)
    if (durations === undefined) found.set(operation, [exchange.durationMs])
    else durations.push(exchange.durationMs)
  }
  return Array.from(found, ([operation, durations]) => ({
    operation,
    durationsMs: durations.toSorted((one, other) => one - other),
  })).toSorted((one, other) => other.durationsMs.length - one.durationsMs.length)
}
