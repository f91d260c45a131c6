import { plural } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import { pluginProbes } from '../../suites/checks/plugin/all.ts'
import { startThread } from '../../suites/runner/run-in-worker.ts'
import { exitCode } from '../exit-code.ts'
import { requireNew, requireWritable, writeTextFile } from '../files.ts'
import { exitCodeAfter } from '../interruption.ts'
import { resolveRunOptions } from '../options/run-options.ts'
import { apisModule } from '../target/apis.ts'
import { pluginApi } from '../target/plugin/api.ts'
import { runChecks } from '../target/run-checks.ts'
import { codeOfTarget, listChangesText, openTarget, requireChecks } from '../target/session.ts'
import { showPlan } from '../target/show-plan.ts'
import type { ProbeFlags } from './command.ts'
import { type DetectedAnswers, detectAnswers } from './detect-answers.ts'
import { profileText } from './profile-text.ts'

/** Observes how a server behaves, writes its profile and returns the exit code. */
export async function probe(flags: ProbeFlags, signal: AbortSignal): Promise<number> {
  const options = resolveRunOptions({ ...flags, out: flags.reportDir })
  if (options.plan === null) {
    requireNew(flags.out, flags)
    await requireWritable(flags.out, '`--out`')
  }
  requireChecks(options, [pluginApi], pluginProbes)
  await using target = await openTarget([pluginApi], options, signal)
  if (options.plan !== null) {
    await showPlan(target, target.plan(pluginProbes))
    return exitCode.conformant
  }
  await target.inspect()
  process.stdout.write(`Probing ${target.describe()}\n`)
  const planned = target.plan(pluginProbes)
  const session = await target.consent(planned)
  const { result: outcomes, harm } = await session.verifyAfter(() => runChecks(session, startThread(apisModule)))
  const { url, identity: plugin } = session.main
  const detected = detectAnswers({ url, plugin, outcomes, statedCapacity: options.capacity })
  writeTextFile(flags.out, profileText(detected))
  process.stdout.write(`${summary(detected)}\n${listChangesText(harm)}\nProfile: ${flags.out}\n`)
  const complete = outcomes.length === planned.length && outcomes.every(({ status }) => status !== 'blocked')
  const code = complete ? exitCode.conformant : exitCode.incomplete
  return exitCodeAfter(signal, codeOfTarget([session.main], harm, outcomes) ?? code)
}

function summary({ answers, capacity, errorTexts }: DetectedAnswers): string {
  const known = (all: ReadonlyMap<string, object>) => [...all.values()].filter((one) => 'known' in one).length
  const reasons = new Map<string, string[]>()
  for (const [question, finding] of answers) {
    if ('unknown' in finding) reasons.set(finding.unknown, [...(reasons.get(finding.unknown) ?? []), question])
  }
  return [
    `${plural(answers.size, 'question')}: ${known(answers)} answered, ${answers.size - known(answers)} unknown`,
    ...Array.from(reasons, ([reason, ids]) => `  ${visibleLine(reason)}: ${ids.join(', ')}`),
    'known' in capacity ? `capacity: ${capacity.known}` : `capacity: unknown (${visibleLine(capacity.unknown)})`,
    `error texts: ${known(errorTexts)} of ${errorTexts.size}`,
  ].join('\n')
}
