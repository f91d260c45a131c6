import type { Exchange } from '../../suites/client/exchange.ts'
import { holdsOnlyReads } from '../../suites/client/raw.ts'

/** Whether a request may change something. */
export function isWrite({ method, body }: Exchange['request']): boolean {
  return method === 'RAW' ? !holdsOnlyReads(body ?? '') : !['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/** The requests of some exchanges. Raw bytes are one request, also if they had several responses. */
export function requestsIn(exchanges: readonly Exchange[]): readonly Exchange['request'][] {
  return exchanges
    .filter((exchange, at) => !isOfSameBytes(exchange, exchanges[at - 1]))
    .map((exchange) => exchange.request)
}

/** Whether an exchange is a further response to the same raw bytes. */
export function isOfSameBytes(
  { startedAt, request }: Pick<Exchange, 'startedAt' | 'request'>,
  before: Pick<Exchange, 'startedAt' | 'request'> | undefined,
): boolean {
  return request.method === 'RAW' && before?.request.method === 'RAW' && before.startedAt === startedAt
}
