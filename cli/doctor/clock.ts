import type { HttpResponse } from '../../suites/client/response.ts'
import type { Finding } from './examination.ts'

/** More than network delay, rounding and a slow response explain. */
const tolerableSeconds = 60

/** Whether the clock of the target agrees with the local one. */
export async function examineClock(request: () => Promise<HttpResponse>): Promise<Finding> {
  const { headers, exchange } = await request()
  const { date } = headers
  if (date === undefined) return { state: 'skipped', finding: 'the responses have no Date header' }
  const there = Date.parse(date)
  if (Number.isNaN(there)) {
    return {
      state: 'warning',
      finding: 'the Date header is not a valid date',
      remedy: 'Fix the server: see RFC 9110, 5.6.7.',
    }
  }
  const here = Date.parse(exchange.startedAt) + exchange.durationMs / 2
  // The header has whole seconds: on average, half a second has passed since.
  const seconds = Math.round((there + 500 - here) / 1000)
  const finding =
    seconds === 0
      ? 'agrees with the local clock'
      : `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the local clock`
  if (Math.abs(seconds) <= tolerableSeconds) return { state: 'ok', finding }
  return {
    state: 'warning',
    finding,
    remedy: 'Correct the wrong clock. Otherwise the times of the report and of the server log do not match.',
  }
}
