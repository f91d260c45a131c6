import { operationOf } from '../../suites/client/exchange.ts'
import type { ReportedRequirement } from '../report.ts'

/** The operations that the checks of a requirement sent. */
export function operationsOf({ checks }: ReportedRequirement): ReadonlySet<string> {
  return new Set(
    checks.flatMap(({ exchanges }) => exchanges.map((exchange) => operationOf(exchange) ?? 'other requests')),
  )
}
