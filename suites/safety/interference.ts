import type { Rule } from '../vocabulary/rule.ts'
import { differences } from './list-state.ts'

/**
 * The list changed in a way that is not the kit's doing: somebody else is at work. The run stops,
 * and nothing of it is blamed on the server.
 */
export class Interference extends Error {
  override readonly name = 'Interference'
  /** What changed, one line each. */
  readonly changes: readonly string[]

  constructor(message: string, changes: readonly string[]) {
    super(`${message}: ${changes.join('; ')}`)
    this.changes = changes
  }
}

/** Compares the rules of others in each list that is read with those of the one before. */
export interface Watch {
  /** Throws `Interference` if the rules of others are not as they were. */
  see(list: readonly Rule[]): void
  /** The rules of others as they were seen last. */
  readonly others: readonly Rule[]
}

/** A watch over the rules of others; `isOwn` tells the kit's rules apart. */
export function createWatch(before: readonly Rule[], isOwn: (rule: Rule) => boolean): Watch {
  let others = before.filter((rule) => !isOwn(rule))
  return {
    get others() {
      return others
    },
    see(list) {
      const now = list.filter((rule) => !isOwn(rule))
      const changes = differences(others, now)
      others = now
      if (changes.length > 0) throw new Interference('somebody else changed the list during the run', changes)
    },
  }
}
