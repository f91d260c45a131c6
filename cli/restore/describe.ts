import { plural } from '../../reports/phrases.ts'
import { describeRule } from '../../suites/model/rule.ts'
import type { Restored } from '../../suites/safety/clean-up.ts'
import { explainRun, type RunExplanation } from '../../suites/safety/explain-run.ts'
import type { RecordedRun } from '../../suites/safety/ledger.ts'
import type { RestoredServer } from '../../suites/targets/live/restore-server.ts'
import { leftAdvice, leftReason, lossLines, orderLines } from '../life-cycle/clean-up-lines.ts'

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

export function explanationOf({ run, restored, returned }: Result): RunExplanation {
  return explainRun(run, run.opening.before, restored, returned?.reordered !== true)
}

/** The result of the clean-up, as text for the terminal. */
export function describe({ run, restored, reAddProblem, command }: Result, explanation: RunExplanation): string {
  const { left, edits, stop } = restored
  const { lost, possiblyLost, byOthers } = explanation
  const reason = leftReason(restored)
  const isMissing = possiblyLost.length > 0 || byOthers.some((change) => change.startsWith('missing'))
  return [
    ...left.map((rule) => `still there: ${describeRule(rule)}`),
    ...edits,
    ...(reason === null ? [] : [reason]),
    ...byOthers.map((change) => `since the run began: ${change}`),
    ...lossLines(explanation, command),
    ...(lost.length === 0 && isMissing
      ? [`if no other client removed the missing rules on purpose, add them again with: ${command} --re-add`]
      : []),
    ...(reAddProblem === null ? [] : [reAddProblem]),
    ...orderLines(explanation),
    stop === null
      ? `No rule of the kit is left; ${plural(byOthers.length, 'change')} to the ${plural(run.opening.before.length, 'rule')} from before the run.`
      : `${plural(left.length, 'rule')} of the kit could not be removed. ${leftAdvice(stop, command)}`,
  ].join('\n')
}
