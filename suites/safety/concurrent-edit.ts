import type { Rule } from '../model/rule.ts'
import { differences } from './list-state.ts'

/** Another client changed the list during the run. The run stops; this is no verdict about the server. */
export class ConcurrentEdit extends Error {
  override readonly name = 'ConcurrentEdit'
  readonly reason: string
  /** What changed, one line each. */
  readonly changes: readonly string[]

  constructor(reason: string, changes: readonly string[]) {
    super(`${reason}: ${changes.join('; ')}`)
    this.reason = reason
    this.changes = changes
  }
}

/** Compares the foreign rules of each list with those of the previous list. */
export interface Watch {
  /** Throws `ConcurrentEdit` if the foreign rules changed. */
  see(list: readonly Rule[]): void
  /** Takes this list as the last one: what changed is known already. */
  accept(list: readonly Rule[]): void
  /**
   * The kit restarted the server: rules that the next list lacks are no concurrent edit. A check
   * judges whether the server should have kept them.
   */
  restarted(): void
  /** The foreign rules of the last list. */
  readonly others: readonly Rule[]
}

/** Watches the foreign rules; `isOwn` recognises the kit's rules. */
export function createWatch(before: readonly Rule[], isOwn: (rule: Rule) => boolean): Watch {
  let others = before.filter((rule) => !isOwn(rule))
  /** The last list, whose foreign rules these are: equal responses share one list. */
  let last: readonly Rule[] | null = null
  let justRestarted = false
  return {
    get others() {
      return others
    },
    accept(list) {
      last = list
      others = list.filter((rule) => !isOwn(rule))
    },
    restarted() {
      justRestarted = true
    },
    see(list) {
      const now = list === last ? others : list.filter((rule) => !isOwn(rule))
      const all = differences(others, now)
      const changes = justRestarted ? all.filter((change) => change.startsWith('left behind')) : all
      justRestarted = false
      last = list
      others = now
      if (changes.length > 0) throw new ConcurrentEdit('another client changed the list during the run', changes)
    },
  }
}
