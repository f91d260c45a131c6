import { contentOf, type Draft, describeRule, type Rule, sameContent } from '../model/rule.ts'
import type { RecordedRun } from './ledger.ts'
import { differences, foundIn, missingFrom, stillLost } from './list-state.ts'

/** What the kit did to foreign rules, according to its ledger. */
export interface OwnWrites {
  /** Rules that disappeared with a removal of the kit and are still missing. */
  readonly lost: readonly Draft[]
  /** Rules that a removal of the kit hit and that it added again. */
  readonly restored: readonly Draft[]
}

/** Who changed the foreign rules. */
export interface Attribution {
  /** Rules that the kit added again and that have another position now: the server chooses the position. */
  readonly moved: readonly Rule[]
  /** Changes by other clients, one line each. */
  readonly byOthers: readonly string[]
}

/** Compares the foreign rules before and after a run. Changes by the kit are not attributed to others. */
export function attribute(before: readonly Rule[], after: readonly Rule[], { lost, restored }: OwnWrites): Attribution {
  const stood = missingFrom(lost, before)
  const moved = foundIn(restored, foundIn(stood, after))
  const others = (list: readonly Rule[]) => missingFrom(moved, list)
  const isMove = !keepOrder(stood, after) && keepOrder(others(stood), others(after))
  return isMove
    ? { moved, byOthers: differences(others(stood), others(after)) }
    : { moved: [], byOthers: differences(stood, after) }
}

/** Whether the rules that are in both lists have the same order. */
export function keepOrder(one: readonly Rule[], other: readonly Rule[]): boolean {
  return differences(foundIn(other, one), foundIn(one, other)).length === 0
}

/** What the kit did to foreign rules, as far as it shows in this list. */
export function ownWrites(run: RecordedRun | null, list: readonly Rule[]): OwnWrites {
  if (run === null) return { lost: [], restored: [] }
  return { lost: stillLost(run.lost, run.opening.before, list), restored: run.restored }
}

/** The positions of the moved rules, and what to do about it. */
export function movedLines(moved: readonly Rule[], before: readonly Rule[]): readonly string[] {
  if (moved.length === 0) return []
  return [
    ...moved.map((rule) => {
      const stood = before.find((other) => sameContent(other, rule))?.index
      return `added again at #${rule.index}, was at #${stood} before: ${describeRule(contentOf(rule))}`
    }),
    'if the order matters, remove the rules after their old positions and add them again in the same order',
  ]
}
