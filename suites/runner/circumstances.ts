import type { Exchange } from '../client/exchange.ts'
import { changeIn } from './change.ts'
import type { Outcome } from './outcome.ts'

/** Enough to tell the failures of a check apart. */
const longestPart = 120

/**
 * How a check failed, for a comparison with other runs and servers: what it had done, what had changed, and
 * the deciding request with the status of the response. The more alike two texts are, the more alike are the failures.
 */
export function circumstancesOf({
  data,
  exchanges,
  decidedBy,
}: Pick<Outcome, 'data' | 'exchanges' | 'decidedBy'>): string {
  const deciding = exchanges.find(({ id }) => id === decidedBy)
  return [data?.after, data ? changeIn(data) : undefined, deciding && requestText(deciding)]
    .map((part) => part?.slice(0, longestPart))
    .filter(Boolean)
    .join(' | ')
}

/** The form of the body of the deciding response; empty where there is none. */
export function responseFormOf({ exchanges, decidedBy }: Pick<Outcome, 'exchanges' | 'decidedBy'>): string {
  const body = exchanges.find(({ id }) => id === decidedBy)?.response?.body?.trim() ?? ''
  const forms: Readonly<Record<string, string>> = { '': '', '{': 'object', '[': 'array' }
  return forms[body.slice(0, 1)] ?? 'text'
}

function requestText({ request: { method, url, headers }, response }: Exchange): string {
  const path = method === 'RAW' ? '' : url.replace(/^\w+:\/\/[^/]+/, '')
  const keys = headers
    .filter(([name]) => /^(x-api-key|authorization)$/i.test(name))
    .map(([name, value]) => `${name}: ${value.replace(/(?<=\[redacted\])[-\w]+/, '')}`)
    .filter((key) => !/^x-api-key: \[redacted\]$/i.test(key))
  return [method, withoutDigits(path), ...keys, response?.status ?? 'no response'].join(' ')
}

/** Logins and indices change from run to run; how long a number is may matter. */
function withoutDigits(path: string): string {
  return path.replace(/\d+/g, (digits) => (digits.length < 5 ? '0' : digits.replaceAll(/\d/g, '0')))
}
