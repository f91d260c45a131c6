import type { HttpResponse } from '../../suites/client/response.ts'
import type { Finding } from './examination.ts'

/** More than the network, the whole seconds of the header and a slow answer explain. */
const tolerableSeconds = 60

/** Whether the clock of the target goes as the one here does. */
export async function examineClock(request: () => Promise<HttpResponse>): Promise<Finding> {
  const { headers, exchange } = await request()
  const { date } = headers
  if (date === undefined) return { state: 'skipped', finding: 'the answers have no Date header' }
  const there = Date.parse(date)
  if (Number.isNaN(there)) {
    return { state: 'warning', finding: 'the Date header is no date', remedy: 'Repair the server: RFC 9110, 5.6.7.' }
  }
  const here = Date.parse(exchange.startedAt) + exchange.durationMs / 2
  // The header has whole seconds: on average, half a second has passed since.
  const seconds = Math.round((there + 500 - here) / 1000)
  const finding =
    seconds === 0 ? 'as the clock here' : `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the clock here`
  if (Math.abs(seconds) <= tolerableSeconds) return { state: 'ok', finding }
  return {
    state: 'warning',
    finding,
    remedy: 'Set the clock that is wrong, or the times of the report and of the logs of the server will not match.',
  }
}
