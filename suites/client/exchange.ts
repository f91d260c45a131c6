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
