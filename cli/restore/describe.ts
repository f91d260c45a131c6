import { plural } from '../../reports/phrases.ts'
import { type Draft, describeRule } from '../../suites/model/rule.ts'
import { attribute, movedLines, ownWrites } from '../../suites/safety/attribution.ts'
import type { RecordedRun } from '../../suites/safety/ledger.ts'
import type { Restored } from '../../suites/safety/restore.ts'

/** Rules of others that vanished with a removal of the kit, and have not come back. */
export function rulesLostInRun(run: RecordedRun, { list }: Restored): readonly Draft[] {
  return ownWrites(run, list).lost
}

/** What became of the list, for the person who finishes the clean-up. */
export function describe(run: RecordedRun, restored: Restored): string {
  const { opening, unconfirmed } = run
  const { list, left, troubles, removalUnsafeReason } = restored
  const others = list.filter((rule) => !left.includes(rule))
  const own = ownWrites(run, list)
  const { lost } = own
  const { moved, byOthers: changes } = attribute(opening.before, others, own)
  const total = opening.before.length
  return [
    ...left.map((rule) => `still there: ${describeRule(rule)}`),
    ...troubles,
    ...(removalUnsafeReason === null ? [] : [removalUnsafeReason]),
    ...changes.map((change) => `since the run began: ${change}`),
    ...lost.map((rule) => `vanished with a step of the kit: ${describeRule(rule)}`),
    ...movedLines(moved, opening.before),
    ...(lost.length > 0 ? ['Unless somebody else removed them, add them again with POST /api/rules.'] : []),
    ...(lost.length === 0 && unconfirmed !== null && changes.some((change) => change.startsWith('missing'))
      ? [
          'The run was cut off in the middle of a removal. If nobody else removed the missing rule, that removal may have hit it: look, and add it again with POST /api/rules.',
        ]
      : []),
    left.length > 0
      ? `${plural(left.length, 'rule')} of the kit could not be taken away; ${removalUnsafeReason === null ? 'run the command again in a quiet moment' : 'mend the server, and run the command again'}.`
      : `No rule of the kit is left; ${plural(changes.length, 'change')} to the ${plural(total, 'rule')} that ${total === 1 ? 'was' : 'were'} there before.`,
  ].join('\n')
}
