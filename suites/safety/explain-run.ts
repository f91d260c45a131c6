import { type Draft, type Rule, sameContent } from '../model/rule.ts'
import type { Restored } from './clean-up.ts'
import type { RemovalCandidates } from './explain.ts'
import type { RecordedRun } from './ledger.ts'
import {
  changedBetween,
  differences,
  foundIn,
  haveSameOrder,
  missingFrom,
  orderChanged,
  stillLost,
} from './list-state.ts'

export type RunExplanation = ReturnType<typeof explainRun>

/**
 * How the foreign rules of a list differ from those before a run, and who changed them. Changes that the kit made or may
 * have made, according to its ledger, are not attributed to others. `run` is null if nothing was written.
 */
export function explainRun(
  run: RecordedRun | null,
  before: readonly Rule[],
  { list, left }: Pick<Restored, 'list' | 'left'>,
  isRestoredInOrder: boolean,
) {
  const foreign = list.filter((rule) => !left.includes(rule))
  const missing = run === null ? { lost: [], possiblyLost: [] } : stillMissing(run, list)
  const recorded = run?.moved.filter(({ order }) => !haveSameOrder(order, list)).map(({ rule }) => rule) ?? []
  const changed = [...changedBetween(missing.possiblyLost, missingFrom(before, foreign)).values()]
  const explained = foreign.filter((rule) => !changed.includes(rule))
  const restored = run?.restored ?? []
  const { moved, byOthers } = attribute(before, explained, { ...missing, restored, moved: recorded })
  const reordered = !isRestoredInOrder || (run?.reordered === true && !haveSameOrder(before, foreign))
  const possiblyUnlisted = run?.possiblyUnlisted ?? false
  const further = run?.opening.further ?? []
  const incomplete = further.length === 0 ? [] : foundIn(restored, foreign)
  const differing = [left, missing.lost, missing.possiblyLost, moved, incomplete]
  const fromBefore = (rule: Rule) => [...before, ...recorded].find((other) => sameContent(other, rule))?.index
  return {
    ...missing,
    /** Rules that are there with the logins of a possibly lost one. */
    changed,
    possiblyUnlisted,
    /** Rules that the kit added again at another position, which the server chooses, each with its former index. */
    moved: moved.map((rule) => ({ rule, from: fromBefore(rule) })),
    reordered,
    /** Rules that the kit added again, without these members. */
    incomplete,
    further,
    /** Changes by other clients, one line each. */
    byOthers: reordered ? byOthers.filter((change) => change !== orderChanged) : byOthers,
    /** Whether the run left no rule behind and permanently removed, moved or changed no foreign rule. */
    isAsBefore: differing.every(({ length }) => length === 0) && !possiblyUnlisted && !reordered,
  }
}

interface Missing {
  /** Rules that disappeared with a DELETE of the kit and are still missing. */
  readonly lost: readonly Draft[]
  /** Rules that a request of the kit or another client removed, and that are still missing. */
  readonly possiblyLost: readonly Draft[]
}

/** The foreign rules that the kit removed or may have removed, and that are still missing. */
export function stillMissing(run: RecordedRun, list: readonly Rule[]): Missing {
  const { before } = run.opening
  const lost = stillLost(run.lost, before, list)
  // Rules that the kit certainly removed are not listed twice.
  return { lost, possiblyLost: missingFrom(lost, stillLost(run.possiblyLost, before, list)) }
}

interface OwnWrites extends Missing {
  /** Rules that a DELETE of the kit hit and that it added again. */
  readonly restored: readonly Draft[]
  /** Those that changed their order relative to others, with their former index. */
  readonly moved: readonly Rule[]
}

/** Attributes the changes of foreign rules: those that the kit moved, and the changes by other clients. */
export function attribute(before: readonly Rule[], after: readonly Rule[], writes: OwnWrites) {
  const { lost, possiblyLost, restored, moved: recorded } = writes
  const stood = missingFrom([...lost, ...possiblyLost], before)
  const moved = foundIn(restored, foundIn(stood, after))
  const others = (list: readonly Rule[]) => missingFrom(moved, list)
  const isMove = !haveSameOrder(stood, after) && haveSameOrder(others(stood), others(after))
  // These changed their order relative to rules that another client added during the run.
  const further = foundIn(missingFrom(isMove ? moved : [], recorded), after)
  return isMove
    ? { moved: [...moved, ...further], byOthers: differences(others(stood), others(after)) }
    : { moved: further, byOthers: differences(stood, after) }
}

/**
 * What a run may have removed that was killed during a DELETE: an existing rule that is missing before the clean-up or,
 * if its own rule is still there at another index, a rule that no list shows.
 */
export function explainInterruption(run: RecordedRun, list: readonly Rule[]): RemovalCandidates | null {
  const { unconfirmed, opening, lost } = run
  if (unconfirmed === null) return null
  const rules = missingFrom([...list, ...lost], opening.before)
  const equal = list.filter((rule) => sameContent(rule, unconfirmed.rule))
  // If there are fewer equal rules than before, its own is gone.
  const isThere = equal.length >= unconfirmed.equal
  const isMoved = equal.every(({ index }) => index !== unconfirmed.index)
  const unlisted = isThere && (isMoved || rules.length > 0)
  return rules.length > 0 || unlisted ? { rules, unlisted } : null
}
