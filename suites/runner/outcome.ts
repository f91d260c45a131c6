import type { FailureData } from '../assertions/failure-data.ts'
import type { FailureCode } from '../assertions/failure-texts.ts'
import type { Exchange } from '../client/exchange.ts'

/** The status of a check. Only `failed` counts against the target. */
export type Status = 'passed' | 'failed' | 'not-applicable' | 'out-of-scope' | 'blocked' | 'error'

/** Why no more requests are sent: the target is gone, its list is edited concurrently, or a life-cycle step failed. */
export type Stop = 'unreachable' | 'interference' | 'life-cycle'

export interface Finding {
  readonly status: Status
  /** The code and data of a failed expectation; null otherwise. */
  readonly code: FailureCode | null
  readonly data: FailureData | null
  /** The failed expectation, or the reason for not judging. Null when passed. */
  readonly message: string | null
  /** The data of a failed expectation as text to compare; null otherwise. */
  readonly expected: string | null
  readonly actual: string | null
  /** The observed answer id; null for checks, or if it could not be learned. */
  readonly answer: string | null
  /** Set if the run had been stopped or was stopped by this check. */
  readonly stop: Stop | null
}

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

export const passed: Finding = {
  status: 'passed',
  code: null,
  data: null,
  message: null,
  expected: null,
  actual: null,
  answer: null,
  stop: null,
}

/** The outcome of a check that was not run, or of which only the status is known. */
export function notRun(check: string, status: Exclude<Status, 'passed' | 'failed'>, message: string): Outcome {
  return { ...passed, check, status, message, durationMs: 0, curl: null, exchanges: [], exchangesOmitted: 0 }
}

/** Whether a script can show a failure. Otherwise it says why requests alone cannot. */
export function canShowFailure(script: string | null = null): boolean {
  return script?.includes('exit 1') === true
}
