/** What became of one check. Only `failed` speaks against the target. */
export type Status = 'passed' | 'failed' | 'not-applicable' | 'out-of-scope' | 'blocked' | 'error'

/** One message as it went over the wire; secrets are already redacted. */
export interface Message {
  /** Names as sent or received, in order, repeated names kept apart. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as text, or null where there was none. Long bodies are cut, with a note at the end. */
  readonly body: string | null
}

/** One request of the kit and what came back. */
export interface Exchange {
  /** Unique within a run, in the order of sending, e.g. `x17`. */
  readonly id: string
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly durationMs: number
  readonly request: Message & { readonly method: string; readonly url: string }
  /** Null where no answer came; then `failure` says why. `reason`: the words behind the status, if not the usual ones. */
  readonly response: (Message & { readonly status: number; readonly reason?: string }) | null
  readonly failure: string | null
}

/**
 * Why nothing more is asked of a target: it is gone, somebody else changes its list, or a step of
 * its life cycle was not done.
 */
export type Stop = 'unreachable' | 'interference' | 'life-cycle'

/** The result of one check, or of one observation. */
export interface Outcome {
  /** Id of the check, e.g. `CT-301`. */
  readonly check: string
  readonly status: Status
  readonly durationMs: number
  /** What a person should know: the failed expectation, or the reason for not judging. Null when passed. */
  readonly message: string | null
  /** For a failed expectation, as text a person can compare; null otherwise. */
  readonly expected: string | null
  readonly actual: string | null
  /** The last request before the failure as a shell command, the key as `$TCK_API_KEY`. */
  readonly curl: string | null
  readonly exchanges: readonly Exchange[]
  /** How many exchanges were left out because there were too many to keep. */
  readonly exchangesOmitted: number
  /** For an observation: the answer id, or null when it could not be learned. Null for checks. */
  readonly answer: string | null
  /** Set where the run had been stopped, or was stopped by this check. */
  readonly stop: Stop | null
}
