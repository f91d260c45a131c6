import type { RuleList } from '../../plugin/model/rule-list.ts'
import type { StageName } from '../../server/track.ts'

/** One request and its response. Holds no key; long strings are truncated. */
export interface JournalEntry {
  /** Counted from 1 since the start, the last reset or the last clear. */
  readonly id: number
  /** When the request arrived, by the simulator's clock; ISO 8601, UTC. */
  readonly at: string
  readonly method: string
  /** The request target, e.g. `/api/rules/0`. */
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as a string, as far as it was received; null if it was not read or is too large. */
  readonly body: string | null
  /** Null if the connection was closed without a response. */
  readonly status: number | null
  /** The body of the response as a string; null without one. */
  readonly answer: string | null
  /** The last stage of the request: `render` if it was served; null if it is not valid HTTP. */
  readonly stage: StageName | null
  /** The operation, e.g. `add-rule`; null if it was not determined. */
  readonly operation: string | null
  /** The decision as text. */
  readonly decision: string
  /** Ids of the requirements and questions that the decision follows from. */
  readonly because: readonly string[]
  /** The fault that was played on it; null for none. */
  readonly fault: string | null
  readonly durationMs: number
  /** The number of rules before and after the request. */
  readonly rulesBefore: number
  readonly rulesAfter: number
  /** Whether the request target contained the key of the plugin. */
  readonly keyInTarget: boolean
  /** Whether the body contained it. */
  readonly keyInBody: boolean
}

/** The parts of an entry that cost nothing to compute. */
export type RequestSummary = Pick<JournalEntry, 'method' | 'operation' | 'status' | 'fault' | 'durationMs'>

/** An entry with both lists. Lists are immutable. */
export interface RecordedRequest {
  readonly entry: JournalEntry
  readonly before: RuleList
  readonly after: RuleList
}
