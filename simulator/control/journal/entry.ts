import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { StageName } from '../../server/track.ts'

/** One request and what became of it. Holds no key; long texts are cut. */
export interface JournalEntry {
  /** Counted from 1 since the start, the last reset or the last clear. */
  readonly id: number
  /** When the request came, as the simulator's clock says; ISO 8601, UTC. */
  readonly at: string
  readonly method: string
  /** The request target, e.g. `/api/rules/0`. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as text, as far as it arrived; null where nobody read one, or it was over the limit. */
  readonly body: string | null
  /** Null where the connection was closed without an answer. */
  readonly status: number | null
  /** The body of the answer as text; null without one. */
  readonly answer: string | null
  /** The last stage that the request came to: `render` where it was served; null where it is no HTTP. */
  readonly stage: StageName | null
  /** What it asked for, e.g. `add-rule`; null where that never became clear. */
  readonly operation: string | null
  /** Why it was answered so, in words. */
  readonly decision: string
  /** Ids of the requirements and questions that the decision follows from. */
  readonly because: readonly string[]
  /** The fault that was played on it; null for none. */
  readonly fault: string | null
  readonly durationMs: number
  /** How many rules there were before and after it. */
  readonly rulesBefore: number
  readonly rulesAfter: number
  /** Whether the key of the plugin stood in the request target. */
  readonly keyInTarget: boolean
  /** Whether it stood in the body. */
  readonly keyInBody: boolean
}

/** An entry with the lists themselves. A list is never changed in place. */
export interface RecordedRequest {
  readonly entry: JournalEntry
  readonly before: RuleList
  readonly after: RuleList
}
