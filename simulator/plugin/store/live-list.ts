import { Mutex } from 'async-mutex'
import type { RuleList } from '../model/rule-list.ts'

/** The list that clients see, and the mutex that serialises changes to it. */
export interface LiveList {
  readonly rules: () => RuleList
  /** Makes this list visible to clients. */
  readonly publish: (rules: RuleList) => void
  /** Runs `changes`, which may publish lists, and then restores the list, so that no client sees them. */
  readonly attempt: (changes: () => void) => void
  /** The encoded response to GET /api/rules, which is cached until the list changes. */
  readonly encoded: (write: (cached: Uint8Array | undefined) => Uint8Array) => Uint8Array
  /** Changes run one after the other, or in groups; reads do not wait for them. */
  readonly mutex: Mutex
}

export function liveList(initial: RuleList): LiveList {
  let rules = initial
  let cached: Uint8Array | undefined
  return {
    rules: () => rules,
    publish: (next) => {
      rules = next
      cached = undefined
    },
    attempt: (changes) => {
      const before = { rules, cached }
      changes()
      rules = before.rules
      cached = before.cached
    },
    encoded: (write) => {
      cached = write(cached)
      return cached
    },
    mutex: new Mutex(),
  }
}
