import type { HostileClient, NewRule } from '../../fixtures/clients/hostile.ts'
import type { List, ListedRule } from '../../fixtures/proxies/serialising.ts'
import type { RandomEdits, TestEnvironment } from './scenario.ts'

/** Makes random edits. Its methods are called while no request of the kit is in flight. */
export interface RandomEditor {
  edit(list: NonNullable<List>): Promise<void>
  /** Edits at one in this many requests of the kit. */
  onRequest(list: List): Promise<void>
}

/** The other client may remove a rule of the kit, but never adds one with a login of the kit. */
const firstLoginOfKit = 900_000_000

/** A list shorter than this only gets more rules. */
const fewest = 4

export function createRandomEdits(
  { oneIn }: RandomEdits,
  other: HostileClient,
  random: TestEnvironment['random'],
): RandomEditor {
  const removed: ListedRule[] = []

  async function edit(list: NonNullable<List>): Promise<void> {
    const position = random(0, list.length - 1)
    const kind = list.length < fewest ? 0 : random(0, 5)
    const last = removed.at(-1)
    if (kind === 0) return other.add()
    if (kind === 1 && last !== undefined) return other.add(newRule(last))
    const rule = list[position]
    if (rule !== undefined && rule.master < firstLoginOfKit) removed.push(rule)
    if (kind === 2) return other.removeAndAdd(position)
    if (kind === 3) return other.addAndRemove(position)
    await other.remove(position)
    if (kind === 4) await other.remove(random(0, list.length - 2))
  }

  return {
    edit,
    async onRequest(list) {
      if (oneIn === null || list === null || random(1, oneIn) > 1) return
      await edit(list)
    },
  }
}

function newRule({ master, follower, value }: ListedRule): NewRule {
  return { master, follower, mode: 'fixed', value, direction: 'same' }
}
