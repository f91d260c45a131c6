import { type Exchange, operationOf } from '../client/exchange.ts'

/**
 * How long the successful responses took, in milliseconds, by documented operation. A request that is rejected
 * does less work.
 */
export function durationsOf(exchanges: readonly Exchange[]): Readonly<Record<string, readonly number[]>> {
  const found: Record<string, number[]> = {}
  for (const exchange of exchanges) {
    const operation = operationOf(exchange)
    if (operation === null || exchange.response === null || exchange.response.status >= 400) continue
    found[operation] ??= []
    found[operation].push(exchange.durationMs)
  }
  return found
}
