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

/** How a check failed, for a comparison with what another server does to it. */
export interface Way {
  /** Code, step, and deciding request and response: two failures with the same text are the same failure. */
  readonly text: string
  /** What had changed. It distinguishes failures that are the same otherwise. */
  readonly change: string
}

export function wayOf(outcome: Pick<Outcome, 'code' | 'data' | 'exchanges' | 'decidedBy'>): Way {
  const { code, data, exchanges, decidedBy } = outcome
  const deciding = exchanges.find(({ id }) => id === decidedBy)
  const response = deciding && `${requestText(deciding)} ${formOf(deciding.response?.body ?? null)}`
  return {
    text: [code, data?.after, response].filter(Boolean).join(' | '),
    change: data === null ? '' : (changeIn(data) ?? ''),
  }
}

function formOf(body: string | null): string {
  const forms: Readonly<Record<string, string>> = { '': 'no body', '{': 'object', '[': 'array' }
  return forms[(body ?? '').trim().slice(0, 1)] ?? 'text'
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
