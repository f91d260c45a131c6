import { plural } from '../../reports/phrases.ts'
import { type Draft, describeRule } from '../../suites/model/rule.ts'
import {
  attribute,
  keepOrder,
  movedLines,
  type OwnWrites,
  ownWrites,
  possibleLines,
} from '../../suites/safety/attribution.ts'
import type { RecordedRun } from '../../suites/safety/ledger.ts'
import { orderChanged } from '../../suites/safety/list-state.ts'
import type { Restored } from '../../suites/safety/restore.ts'
import type { RestoredServer } from '../../suites/targets/live/restore-server.ts'
import { leftAdvice, leftReason, reAddLine } from '../life-cycle/clean-up-lines.ts'

/** What became of the list of an interrupted run. */
export interface Result {
  /** The run, with what its clean-up did. */
  readonly run: RecordedRun
  readonly restored: Restored
  /** Null where the server was not leased, or restored before. */
  readonly returned: RestoredServer | null
  /** Why not all rules were added again that should be; null where all were. */
  readonly reAddProblem: string | null
  /** The command that continues the clean-up. */
  readonly command: string
}

/** How the list differs from the one before the run, and by whom. */
interface ListChanges {
  readonly own: OwnWrites
  readonly lost: readonly Draft[]
  readonly moved: ReturnType<typeof attribute>['moved']
  readonly byOthers: readonly string[]
  readonly isReordered: boolean
}

function changesIn({ run, restored, returned }: Result): ListChanges {
  const { list, left } = restored
  const { before } = run.opening
  const foreign = list.filter((rule) => !left.includes(rule))
  const own = ownWrites(run, list)
  const { moved, byOthers } = attribute(before, foreign, own)
  const isReordered = returned?.reordered || (run.reordered && !keepOrder(before, foreign))
  return {
    own,
    lost: own.lost,
    moved,
    byOthers: isReordered ? byOthers.filter((change) => change !== orderChanged) : byOthers,
    isReordered,
  }
}

/** Whether the run left nothing behind, and removed and moved no foreign rule for good. */
export function isAsBefore(result: Result): boolean {
  const { own, lost, moved, isReordered } = changesIn(result)
  const found = [result.restored.left, lost, own.possiblyLost, moved]
  return found.every(({ length }) => length === 0) && !own.possiblyUnlisted && !isReordered
}

/** The result of the clean-up, as text for the terminal. */
export function describe(result: Result): string {
  const { run, restored, reAddProblem, command } = result
  const { before } = run.opening
  const { left, edits, stop } = restored
  const { own, lost, moved, byOthers, isReordered } = changesIn(result)
  const reason = leftReason(restored)
  const isMissing = byOthers.some((change) => change.startsWith('missing'))
  return [
    ...left.map((rule) => `still there: ${describeRule(rule)}`),
    ...edits,
    ...(reason === null ? [] : [reason]),
    ...byOthers.map((change) => `since the run began: ${change}`),
    ...lost.map((rule) => `disappeared with a request of the kit: ${describeRule(rule)}`),
    ...(lost.length > 0 ? [reAddLine(command)] : []),
    ...possibleLines(own),
    ...(lost.length === 0 && (isMissing || own.possiblyLost.length > 0)
      ? [`if no other client removed the missing rules on purpose, add them again with: ${command} --re-add`]
      : []),
    ...(reAddProblem === null ? [] : [reAddProblem]),
    ...movedLines(moved, [...before, ...own.moved]),
    ...(isReordered ? [`${orderChanged} with a request of the kit`] : []),
    stop === null
      ? `No rule of the kit is left; ${plural(byOthers.length, 'change')} to the ${plural(before.length, 'rule')} from before the run.`
      : `${plural(left.length, 'rule')} of the kit could not be removed. ${leftAdvice(stop, command)}`,
  ].join('\n')
}
