import type { Exchange } from '../client/exchange.ts'
import type { Finding } from './outcome.ts'
import type { OpenFinding } from './server-under-test.ts'

/**
 * What to report of a check that met a rate limit; null if it met none. Rate limits are not specified (clause 8):
 * a request that was answered with 429 shows neither that it would be accepted nor that it would not.
 */
export function rateLimited(
  { isOpen, status }: OpenFinding,
  exchanges: readonly Exchange[],
): Pick<Finding, 'status' | 'message'> | null {
  const limited = exchanges.find(({ response }) => response?.status === 429)
  if (limited === undefined || !(isOpen || status === 'passed')) return null
  const advice = 'the server takes no more requests for now, try again with a lower --max-rps'
  return { status: 'blocked', message: `${advice}: ${limited.request.method} was answered with 429` }
}
