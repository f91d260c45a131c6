import { type Exchange, operationOf } from '../../suites/client/exchange.ts'
import type { Report, ReportedRequirement } from '../report.ts'

const nameOf = (exchange: Exchange) => operationOf(exchange) ?? 'other requests'

/** The operations that the checks of a requirement sent. */
export function operationsOf({ checks }: ReportedRequirement): ReadonlySet<string> {
  return new Set(checks.flatMap(({ exchanges }) => exchanges.map(nameOf)))
}

/** The sorted response times of one operation in milliseconds. */
export interface Latency {
  readonly operation: string
  readonly durationsMs: readonly number[]
}

/** The response times by operation, the most frequent first. Exchanges that several checks share count once. */
export function latencies({ requirements, observations }: Report): readonly Latency[] {
  const checks = [...requirements.flatMap(({ checks }) => checks), ...observations]
  const exchanges = new Map(checks.flatMap(({ exchanges }) => exchanges.map((one) => [one.id, one] as const)))
  const found = new Map<string, number[]>()
  for (const exchange of exchanges.values()) {
    if (exchange.response === null) continue
    const operation = nameOf(exchange)
    const durations = found.get(operation)
    if (durations === undefined) found.set(operation, [exchange.durationMs])
    else durations.push(exchange.durationMs)
  }
  return Array.from(found, ([operation, durations]) => ({
    operation,
    durationsMs: durations.toSorted((one, other) => one - other),
  })).toSorted((one, other) => other.durationsMs.length - one.durationsMs.length)
}
