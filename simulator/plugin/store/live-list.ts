import { Mutex } from 'async-mutex'
import type { RuleList } from '../model/rule-list.ts'

export type LiveList = ReturnType<typeof liveList>

/** The list that clients see, and the mutex that serialises changes to it. */
export function liveList(initial: RuleList) {
  let rules = initial
  let cached: Uint8Array | undefined
  return {
    rules: () => rules,
    /** Makes this list visible to clients. */
    publish: (next: RuleList): void => {
      rules = next
      cached = undefined
    },
    /** Runs `changes`, which may publish lists, and then restores the list, so that no client sees them. */
    attempt: (changes: () => void): void => {
      const before = { rules, cached }
      changes()
      rules = before.rules
      cached = before.cached
    },
    /** The encoded response to GET /api/rules, which is cached until the list changes. */
    encoded: (write: (cached: Uint8Array | undefined) => Uint8Array): Uint8Array => {
      cached = write(cached)
      return cached
    },
    /** Changes run one after the other, or in groups; reads do not wait for them. */
    mutex: new Mutex(),
  }
}
