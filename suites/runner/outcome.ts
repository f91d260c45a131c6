import type { FailureData } from '../assertions/failure-data.ts'
import type { FailureCode } from '../assertions/failure-texts.ts'
import type { Exchange } from '../client/exchange.ts'

/** What became of one check. Only `failed` speaks against the target. */
export type Status = 'passed' | 'failed' | 'not-applicable' | 'out-of-scope' | 'blocked' | 'error'

/**
 * Why no more requests are sent to a target: it is gone, its list is edited concurrently, or a step of
 * its life cycle failed.
 */
export type Stop = 'unreachable' | 'interference' | 'life-cycle'

/** The result of one check, or of one observation. */
export interface Outcome {
  /** Id of the check, e.g. `CT-301`. */
  readonly check: string
  readonly status: Status
  readonly durationMs: number
  /** For a failed expectation: which one, and its facts. Null otherwise. */
  readonly code: FailureCode | null
  readonly data: FailureData | null
  /** What a person should know: the failed expectation, or the reason for not judging. Null when passed. */
  readonly message: string | null
  /** For a failed expectation, its data as text to compare; null otherwise. */
  readonly expected: string | null
  readonly actual: string | null
  /** The last request before the failure as a shell command, the key as `$TCK_API_KEY`. */
  readonly curl: string | null
  readonly exchanges: readonly Exchange[]
  /** How many exchanges were left out because there were too many. */
  readonly exchangesOmitted: number
  /** For an observation: the answer id, or null when it could not be learned. Null for checks. */
  readonly answer: string | null
  /** Set where the run had been stopped, or was stopped by this check. */
  readonly stop: Stop | null
}
