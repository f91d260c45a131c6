import type { Rule } from '../model/rule.ts'
import { differences } from './list-state.ts'

/**
 * The list changed in a way that is not the kit's doing: somebody else is at work. The run stops,
 * and nothing of it is blamed on the server.
 */
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

/**
 * A removal hit another rule than the one at the index that was sent, though the list shows no trace
 * of anybody else: with this server the next removal would hit a rule of others again.
 */
export class WrongRuleRemoved extends ConcurrentEdit {}

/** Compares the rules of others in each list that is read with those of the one before. */
export interface Watch {
  /** Throws `ConcurrentEdit` if the rules of others are not as they were. */
  see(list: readonly Rule[]): void
  /**
   * The kit had the server restarted: rules that the next list lacks are not the doing of somebody
   * else, and whether the server should have kept them is for a check to judge.
   */
  restarted(): void
  /** The rules of others as they were seen last. */
  readonly others: readonly Rule[]
}

/** A watch over the rules of others; `isOwn` tells the kit's rules apart. */
export function createWatch(before: readonly Rule[], isOwn: (rule: Rule) => boolean): Watch {
  let others = before.filter((rule) => !isOwn(rule))
  let justRestarted = false
  return {
    get others() {
      return others
    },
    restarted() {
      justRestarted = true
    },
    see(list) {
      const now = list.filter((rule) => !isOwn(rule))
      const all = differences(others, now)
      const changes = justRestarted ? all.filter((change) => change.startsWith('left behind')) : all
      justRestarted = false
      others = now
      if (changes.length > 0) throw new ConcurrentEdit('somebody else changed the list during the run', changes)
    },
  }
}
