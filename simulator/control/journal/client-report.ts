import { coverage, type Met } from './coverage.ts'
import type { RecordedRequest } from './entry.ts'
import { type Mistake, mistakes } from './mistakes.ts'

/** What a journal says about the client whose requests it holds. */
export interface ClientReport {
  /** How many requests it is drawn from. */
  readonly requests: number
  /** How many came before, and are no longer in the journal: nothing is said about them. */
  readonly forgotten: number
  /** What the client did that will go wrong one day. */
  readonly mistakes: readonly Mistake[]
  /** What the specification has in store for a client, and whether this one has met it. */
  readonly coverage: readonly Met[]
}

export function reportOnClient(records: readonly RecordedRequest[], forgotten: number): ClientReport {
  return {
    requests: records.length,
    forgotten,
    mistakes: mistakes(records, forgotten > 0),
    coverage: coverage(records),
  }
}
