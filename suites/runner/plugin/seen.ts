import type { FailedExpectation } from '../../assertions/failure.ts'

/** What is seen of a server beside what the checks judge: the first of each kind; null for none. */
export interface Seen {
  /** What kept a check from being judged, if it was a failure of the server. */
  readonly hindrance: FailedExpectation | null
  readonly unrequestedChange: FailedExpectation | null
  readonly malformedError: FailedExpectation | null
}

export const nothingSeen: Seen = { hindrance: null, unrequestedChange: null, malformedError: null }

/** What was seen first, in the order given. */
export function firstSeen(...all: readonly Seen[]): Seen {
  const first = (kind: keyof Seen) => all.find((seen) => seen[kind] !== null)?.[kind] ?? null
  return {
    hindrance: first('hindrance'),
    unrequestedChange: first('unrequestedChange'),
    malformedError: first('malformedError'),
  }
}
