import { formatDuration, formatEstimate } from '../../reports/phrases.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { notice } from '../target/notice.ts'
import type { TargetSession } from '../target/session.ts'

/** What takes less is over before it is read. */
const worthSayingMs = 10_000

/** Says how long the run takes, where it is long enough. Returns the estimate, null for none. */
export async function sayEstimate(
  { apis, options }: TargetSession,
  planned: readonly PlannedCheck[],
): Promise<number | null> {
  const estimates = await Promise.all(apis.map((api) => api.estimateDuration(planned)))
  const estimate = estimates.find((one) => one !== null)
  if (estimate === undefined) return null
  const { durationMs, roundTrips, roundTripMs } = estimate
  const without = options.lifeCycle === null ? '' : ', without the time of its restarts'
  if (durationMs >= worthSayingMs) {
    const reason = `${roundTrips} round trips of ${formatDuration(roundTripMs)}`
    notice(options, `It takes about ${formatEstimate(durationMs)}: ${reason}${without}.\n`)
  }
  return durationMs
}
