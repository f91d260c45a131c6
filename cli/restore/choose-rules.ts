import { confirm, isCancel } from '@clack/prompts'
import { contentOf, type Draft, describeRule } from '../../suites/model/rule.ts'
import type { Restored } from '../../suites/safety/clean-up.ts'
import { stillMissing } from '../../suites/safety/explain-run.ts'
import type { RecordedRun } from '../../suites/safety/ledger.ts'
import { missingFrom } from '../../suites/safety/list-state.ts'
import { questionStream } from '../question-stream.ts'

/** Existing rules that the list lacks, in their order; then those that another client had added and the run lost. */
export function missingRules(run: RecordedRun, { list }: Pick<Restored, 'list'>): readonly Draft[] {
  const { lost, possiblyLost } = stillMissing(run, list)
  const missing = missingFrom(list, run.opening.before).map(contentOf)
  return [...missing, ...missingFrom(missing, [...lost, ...possiblyLost])]
}

/** Asks for each of these rules whether to add it again; Ctrl-C adds none. Without a terminal all are: `--re-add` was given. */
export async function chooseRules(rules: readonly Draft[], run: RecordedRun): Promise<readonly Draft[]> {
  if (!process.stdin.isTTY) return rules
  const chosen: Draft[] = []
  for (const rule of rules) {
    const isLost = missingFrom(run.lost, [rule]).length === 0
    const reason = isLost ? 'A request of the kit removed it.' : 'Another client may have removed it on purpose.'
    const message = `Add ${describeRule(rule)} again? ${reason}`
    const answer = await confirm({ message, initialValue: isLost, output: questionStream() })
    if (isCancel(answer)) return []
    if (answer) chosen.push(rule)
  }
  return chosen
}
