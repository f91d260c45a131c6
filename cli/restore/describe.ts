import type { RecordedRun } from '../../suites/safety/ledger.ts'
import { differences, stillLost } from '../../suites/safety/list-state.ts'
import type { Restored } from '../../suites/safety/restore.ts'
import { type Draft, describeRule } from '../../suites/vocabulary/rule.ts'

/** Rules of others that vanished with a removal of the kit, and have not come back. */
export function lostInRun({ lost, opening }: RecordedRun, { list }: Restored): readonly Draft[] {
  return stillLost(lost, opening.before, list)
}

/** What became of the list, for the person who finishes the clean-up. */
export function describe(run: RecordedRun, restored: Restored): string {
  const { opening, unconfirmed } = run
  const { list, left, troubles } = restored
  const others = list.filter((rule) => !left.includes(rule))
  const changes = differences(opening.before, others)
  const lost = lostInRun(run, restored)
  const total = opening.before.length
  return [
    ...left.map((rule) => `still there: ${describeRule(rule)}`),
    ...troubles,
    ...changes.map((change) => `since the run began: ${change}`),
    ...lost.map((rule) => `vanished with a step of the kit: ${describeRule(rule)}`),
    ...(lost.length > 0 ? ['Unless somebody else removed them, add them again with POST /api/rules.'] : []),
    ...(lost.length === 0 && unconfirmed !== null && changes.some((change) => change.startsWith('missing'))
      ? [
          'The run was cut off in the middle of a removal. If nobody else removed the missing rule, that removal may have hit it: look, and add it again with POST /api/rules.',
        ]
      : []),
    left.length > 0
      ? `${left.length} rules of the kit could not be taken away; run the command again in a quiet moment.`
      : `No rule of the kit is left; ${changes.length} changes to the ${total} rules that were there before.`,
  ].join('\n')
}
