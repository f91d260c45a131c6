import { type CoverageItem, coverage } from './coverage.ts'
import type { RecordedRequest } from './entry.ts'
import { type Mistake, mistakes } from './mistakes.ts'

/** What a journal shows about the client. */
export interface ClientReport {
  /** How many requests it is based on. */
  readonly requests: number
  /** How many earlier requests are no longer in the journal. */
  readonly forgotten: number
  /** Mistakes of the client that can cause damage. */
  readonly mistakes: readonly Mistake[]
  /** The situations of the specification, and whether the client has met them. */
  readonly coverage: readonly CoverageItem[]
}

export function reportOnClient(records: readonly RecordedRequest[], forgotten: number): ClientReport {
  return {
    requests: records.length,
    forgotten,
    mistakes: mistakes(records, forgotten > 0),
    coverage: coverage(records),
  }
}
