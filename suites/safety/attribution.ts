import { contentOf, type Draft, describeRule, type Rule, sameContent } from '../model/rule.ts'
import type { RecordedRun } from './ledger.ts'
import { differences, foundIn, missingFrom, stillLost } from './list-state.ts'

/** What the kit did to foreign rules, according to its ledger. */
export interface OwnWrites {
  /** Rules that disappeared with a removal of the kit and are still missing. */
  readonly lost: readonly Draft[]
  /** Rules that a request of the kit or another client removed, and that are still missing. */
  readonly possiblyLost: readonly Draft[]
  /** Whether a request of the kit may have removed a rule that no list shows. */
  readonly possiblyUnlisted: boolean
  /** Rules that a removal of the kit hit and that it added again. */
  readonly restored: readonly Draft[]
  /** Rules of these that have another place now, with their former index. */
  readonly moved: readonly Rule[]
}

/** Who changed the foreign rules. */
export interface Attribution {
  /** Rules that the kit added again and that have another position now: the server chooses the position. */
  readonly moved: readonly Rule[]
  /** Changes by other clients, one line each. */
  readonly byOthers: readonly string[]
}

/** Compares the foreign rules before and after a run. Changes that the kit made or may have made are not attributed to others. */
export function attribute(
  before: readonly Rule[],
  after: readonly Rule[],
  { lost, possiblyLost, restored, moved: recorded }: Omit<OwnWrites, 'possiblyUnlisted'>,
): Attribution {
  const stood = missingFrom([...lost, ...possiblyLost], before)
  const moved = foundIn(restored, foundIn(stood, after))
  const others = (list: readonly Rule[]) => missingFrom(moved, list)
  const isMove = !keepOrder(stood, after) && keepOrder(others(stood), others(after))
  // These changed places with rules that another client added during the run.
  const further = foundIn(missingFrom(isMove ? moved : [], recorded), after)
  return isMove
    ? { moved: [...moved, ...further], byOthers: differences(others(stood), others(after)) }
    : { moved: further, byOthers: differences(stood, after) }
}

/** Whether the rules that are in both lists have the same order. */
export function keepOrder(one: readonly Rule[], other: readonly Rule[]): boolean {
  return differences(foundIn(other, one), foundIn(one, other)).length === 0
}

/** What the kit did to foreign rules, as far as it shows in this list. */
export function ownWrites(run: RecordedRun | null, list: readonly Rule[]): OwnWrites {
  if (run === null) return { lost: [], possiblyLost: [], possiblyUnlisted: false, restored: [], moved: [] }
  const { opening, restored, possiblyUnlisted } = run
  const lost = stillLost(run.lost, opening.before, list)
  // What the kit removed for certain is not listed twice.
  const possiblyLost = missingFrom(lost, stillLost(run.possiblyLost, opening.before, list))
  const moved = run.moved.filter(({ order }) => !keepOrder(order, list)).map(({ rule }) => rule)
  return { lost, possiblyLost, possiblyUnlisted, restored, moved }
}

/** What a request of the kit may have done, and what to do about it. */
export function possibleLines({ possiblyLost, possiblyUnlisted }: OwnWrites): readonly string[] {
  return [
    ...possiblyLost.map(
      (rule) => `missing, removed by a request of the kit or by another client: ${describeRule(rule)}`,
    ),
    ...(possiblyUnlisted
      ? ['a request of the kit may have removed a rule that another client had just added and that no list shows']
      : []),
    ...(possiblyLost.length > 0 || possiblyUnlisted
      ? ['ask the other clients of the server what they removed and added; the report shows the lists']
      : []),
  ]
}

/**
 * The positions of the moved rules, and what to do about it.
 *
 * @param before the rules with their former indices
 */
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
