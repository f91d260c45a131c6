import { plural } from '../../reports/phrases.ts'
import { type Draft, describeRule } from '../../suites/model/rule.ts'
import { attribute, movedLines, ownWrites, possibleLines } from '../../suites/safety/attribution.ts'
import type { RecordedRun } from '../../suites/safety/ledger.ts'
import type { Restored } from '../../suites/safety/restore.ts'

/** Foreign rules that a request of the kit removed, or may have removed, and that are still missing. */
export function rulesLostInRun(run: RecordedRun, { list }: Restored): readonly Draft[] {
  const { lost, possiblyLost } = ownWrites(run, list)
  return [...lost, ...possiblyLost]
}

/** The result of the clean-up, as text for the terminal. */
export function describe(run: RecordedRun, restored: Restored): string {
  const { opening, unconfirmed } = run
  const { list, left, edits, removalUnsafeReason } = restored
  const others = list.filter((rule) => !left.includes(rule))
  const own = ownWrites(run, list)
  const { lost } = own
  const { moved, byOthers: changes } = attribute(opening.before, others, own)
  const total = opening.before.length
  return [
    ...left.map((rule) => `still there: ${describeRule(rule)}`),
    ...edits,
    ...(removalUnsafeReason === null ? [] : [removalUnsafeReason]),
    ...changes.map((change) => `since the run began: ${change}`),
    ...lost.map((rule) => `disappeared with a request of the kit: ${describeRule(rule)}`),
    ...(lost.length > 0 ? ['Add them again with `POST /api/rules`.'] : []),
    ...possibleLines(own),
    ...movedLines(moved, opening.before),
    ...(lost.length === 0 && unconfirmed !== null && changes.some((change) => change.startsWith('missing'))
      ? [
          'The run was interrupted during a removal, which may have removed the missing rule. Add it again with `POST /api/rules`, unless another client removed it.',
        ]
      : []),
    left.length > 0
      ? `${plural(left.length, 'rule')} of the kit could not be removed. ${removalUnsafeReason === null ? 'Run the command again when no other client changes the list' : 'Fix the server and run the command again'}.`
      : `No rule of the kit is left; ${plural(changes.length, 'change')} to the ${plural(total, 'rule')} from before the run.`,
  ].join('\n')
}
