import type { Exchange } from '../client/exchange.ts'
import { changeIn } from './change.ts'
import type { Outcome } from './outcome.ts'

/** Enough to distinguish the failures of a check. */
const longestPart = 120

/**
 * How a check failed, for comparison with other runs and servers: its last step, the change, and the deciding request
 * with the status of the response. Similar failures have similar texts.
 */
export function failureSummary({
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

/** How a check failed, for comparison with its failure on another server. */
export interface ComparableFailure {
  /** Code, step, and deciding request and response. Failures with the same text are considered equal. */
  readonly text: string
  /** The change, which distinguishes otherwise equal failures. */
  readonly change: string
}

export function comparableFailure(
  outcome: Pick<Outcome, 'code' | 'data' | 'exchanges' | 'decidedBy'>,
): ComparableFailure {
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

/** Logins and indices change from run to run, but the length of a number may matter. */
function withoutDigits(path: string): string {
  return path.replace(/\d+/g, (digits) => (digits.length < 5 ? '0' : digits.replaceAll(/\d/g, '0')))
}
