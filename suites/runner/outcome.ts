import type { FailureData } from '../assertions/failure-data.ts'
import type { FailureCode } from '../assertions/failure-texts.ts'
import type { Exchange } from '../client/exchange.ts'

/** The status of a check. Only `failed` counts against the target. */
export type Status = 'passed' | 'failed' | 'not-applicable' | 'out-of-scope' | 'blocked' | 'error'

/** Why no more requests are sent: the target is gone, its list is edited concurrently, or a life-cycle step failed. */
export type Stop = 'unreachable' | 'interference' | 'life-cycle'

export const passed = {
  status: 'passed' as Status,
  /** The code and data of a failed expectation; null otherwise. */
  code: null as FailureCode | null,
  data: null as FailureData | null,
  /** The failed expectation, or the reason for not judging. Null when passed. */
  message: null as string | null,
  /** The data of a failed expectation as text to compare; null otherwise. */
  expected: null as string | null,
  actual: null as string | null,
  /** The observed answer id; null for checks, or if it could not be learned. */
  answer: null as string | null,
  /** Set if the run had been stopped or was stopped by this check. */
  stop: null as Stop | null,
}

export type Finding = Readonly<typeof passed>

export interface Outcome extends Finding {
  /** Id of the check, e.g. `CT-301`. */
  readonly check: string
  readonly durationMs: number
  /** The deciding request as a command, with the key as `$TCK_API_KEY`; null if it alone does not show the failure. */
  readonly curl: string | null
  /** A shell script that shows the failure: see `reproduction.ts`. Absent if nothing failed or nothing was sent. */
  readonly script?: string
  readonly exchanges: readonly Exchange[]
  /** The number of exchanges that were left out because there were too many. */
  readonly exchangesOmitted: number
  /** The durations of all successful responses by operation; absent if nothing was measured. */
  readonly durationsMs?: Readonly<Record<string, readonly number[]>>
  /** Id of the exchange whose response is wrong; absent if nothing failed, or nothing was sent. */
  readonly decidedBy?: string
}

/** The outcome of a check that was not run, or of which only the status is known. */
export function notRun(check: string, status: Exclude<Status, 'passed' | 'failed'>, message: string): Outcome {
  return { ...passed, check, status, message, durationMs: 0, curl: null, exchanges: [], exchangesOmitted: 0 }
}

/** Whether a script can show a failure. Otherwise it says why requests alone cannot. */
export function canShowFailure(script: string | null = null): boolean {
  return script?.includes('exit 1') === true
}
