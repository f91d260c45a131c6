import { contentOf, type Draft, describeRule, type Rule, sameContent } from '../model/rule.ts'
import type { RecordedRun } from './ledger.ts'
import { differences, foundIn, missingFrom, stillLost } from './list-state.ts'

/** What the kit itself did to rules of others, as its ledger has it. */
export interface OwnWrites {
  /** Those that vanished with a removal of the kit, and are missing still. */
  readonly lost: readonly Draft[]
  /** Those that a removal of the kit hit, and that it added again. */
  readonly restored: readonly Draft[]
}

/** Whose doing it is that the rules of others are not as they were. */
export interface Attribution {
  /** Rules that the kit put back, and that stand at another place now: a new rule goes where the server adds it. */
  readonly moved: readonly Rule[]
  /** What somebody else changed, one line each. */
  readonly byOthers: readonly string[]
}

/** Compares the rules of others before and after a run. Nothing that the kit did is called somebody else's doing. */
export function attribute(before: readonly Rule[], after: readonly Rule[], { lost, restored }: OwnWrites): Attribution {
  const stood = missingFrom(lost, before)
  const moved = foundIn(restored, foundIn(stood, after))
  const others = (list: readonly Rule[]) => missingFrom(moved, list)
  const isMove = !keepOrder(stood, after) && keepOrder(others(stood), others(after))
  return isMove
    ? { moved, byOthers: differences(others(stood), others(after)) }
    : { moved: [], byOthers: differences(stood, after) }
}

/** Whether the rules that are in both lists stand in the same order. */
function keepOrder(one: readonly Rule[], other: readonly Rule[]): boolean {
  return differences(foundIn(other, one), foundIn(one, other)).length === 0
}

/** What the ledger says that the kit did to rules of others, as far as it shows in this list. */
export function ownWrites(run: RecordedRun | null, list: readonly Rule[]): OwnWrites {
  if (run === null) return { lost: [], restored: [] }
  return { lost: stillLost(run.lost, run.opening.before, list), restored: run.restored }
}

/** Where the rules stand that were put back, and what can be done about it; none if there are none. */
export function movedLines(moved: readonly Rule[], before: readonly Rule[]): readonly string[] {
  if (moved.length === 0) return []
  return [
    ...moved.map((rule) => {
      const stood = before.find((other) => sameContent(other, rule))?.index
      return `put back at #${rule.index}, and stood at #${stood} before: ${describeRule(contentOf(rule))}`
    }),
    'where the order matters, remove the rules behind their old places and add them again in the same order',
  ]
}
