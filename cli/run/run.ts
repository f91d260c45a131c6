import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { buildReport } from '../../reports/document.ts'
import { paintFor } from '../../reports/paint.ts'
import { formatDuration, formatEstimate } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import { renderDiagnosis, renderEnd, renderVerdictAlone, renderWholeEnd } from '../../reports/terminal.ts'
import { writeReports } from '../../reports/write.ts'
import type { RunSettings } from '../../suites/runner/context.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { startThread } from '../../suites/runner/run-in-worker.ts'
import { openGate, printEnd, printVerdict } from '../baseline/gate.ts'
import { verdictAtGate } from '../baseline/judge-gate.ts'
import { exitCode } from '../exit-code.ts'
import { exitCodeAfter } from '../interruption.ts'
import type { RunOptions } from '../options/run-options.ts'
import { runCases } from '../target/apis.ts'
import { createEarlyEnd } from '../target/early-end.ts'
import { codeOfTarget } from '../target/exit.ts'
import { linesStream, notice } from '../target/notice.ts'
import { planChecks, requireChecks } from '../target/plan.ts'
import { runChecks } from '../target/run-checks.ts'
import {
  consent,
  describe,
  inspect,
  openTarget,
  type ReadySession,
  type TargetSession,
  verifyAfter,
} from '../target/session.ts'
import { showPlan } from '../target/show-plan.ts'
import { diagnose } from './diagnose.ts'
import { driftCounts, openComparison } from './drift.ts'
import { record } from './record.ts'

/** Another order of the checks of a run. */
type Reorder = (planned: readonly PlannedCheck[]) => readonly PlannedCheck[]

/** Judges a server, writes the reports and returns the exit code. */
export async function run(
  options: RunOptions,
  signal: AbortSignal,
  reorder: Reorder = (planned) => planned,
): Promise<number> {
  // What is wrong with the files of the user shows before anything is sent.
  const applyBaseline = await openGate(options.baseline)
  const profile = await openComparison(options.profile)
  requireChecks(options, runCases)

  await using thread = options.plan === null ? startThread() : null
  using early = createEarlyEnd(options)
  await using target = await openTarget(options, AbortSignal.any([signal, early.signal]))
  if (options.plan !== null) {
    await showPlan(target, planChecks(target, runCases), options.plan)
    return exitCode.conformant
  }
  await inspect(target)
  notice(options, `Judging ${describe(target)}\n`)
  const planned = reorder(planChecks(target, runCases))
  const estimatedMs = await sayEstimate(target, planned)
  const session = await consent(target, planned)

  const judging = options.keepServer ? keepingServers(session, planned) : session
  const { result: outcomes, ...verification } = await verifyAfter(judging, async () => {
    const expectedAnswers = options.evidence === 'all' ? null : { ...defaultAnswers(session), ...profile.answers }
    const judged = await runChecks(judging, planned, { see: early.see, expectedAnswers, thread, estimatedMs })
    if (options.keepServer) await waitForSignal(judging)
    return judged
  })

  const ended = record({ session, planned, outcomes, verification })
  const reportWith = (diagnosis: Report['diagnosis']) =>
    profile.compare(applyBaseline(buildReport({ ...ended, diagnosis })))
  const judged = reportWith([])
  const stream = linesStream(options.reporter)
  const renderers = {
    quiet: renderVerdictAlone,
    list: renderWholeEnd,
    line: renderEnd,
    dot: renderEnd,
    json: renderEnd,
  }
  printVerdict(renderers[options.reporter](judged, paintFor(stream)), stream)
  // Written before the diagnosis too: a run that is killed during it has a report.
  await writeReports(judged, options.out)
  const report = reportWith(await diagnose(session.apis, outcomes, { ...options, signal }))
  const paths = await writeReports(report, options.out)
  const faults = options.reporter === 'quiet' ? '' : renderDiagnosis(report)
  printEnd(report, `${faults}Report: ${paths.html}\n`, paths, stream)
  if (options.reporter === 'json') process.stdout.write(readFileSync(paths.json, 'utf8'))
  return exitCodeAfter(signal, exitCodeOf(report, outcomes))
}

function defaultAnswers({ apis }: ReadySession): Readonly<Record<string, string>> {
  const questions = apis.flatMap(({ api }) => api.questions)
  return Object.fromEntries(questions.map((question) => [question.id, question.default]))
}

/** The exit code that a report stands for. */
export function exitCodeOf(report: Report, outcomes: readonly Outcome[]): number {
  const ofTarget = codeOfTarget({ kind: report.target.kind, harm: report.harm, outcomes })
  if (ofTarget !== null) return ofTarget
  const codes = {
    conformant: exitCode.conformant,
    partial: exitCode.conformant,
    'non-conformant': exitCode.nonConformant,
    incomplete: exitCode.incomplete,
  }
  return driftCounts(report) ? exitCode.nonConformant : codes[verdictAtGate(report)]
}

/** What takes less is over before it is read. */
const worthSayingMs = 10_000

/** Says how long the run takes, where it is long enough. Returns the estimate, null for none. */
async function sayEstimate({ apis, options }: TargetSession, planned: readonly PlannedCheck[]): Promise<number | null> {
  const estimates = await Promise.all(apis.map((api) => api.estimateDuration(planned)))
  const estimate = estimates.find((one) => one !== null)
  if (estimate === undefined) return null
  const { durationMs, roundTrips, roundTripMs } = estimate
  const without = options.lifeCycle === null ? '' : ', without the time of its restarts'
  if (durationMs >= worthSayingMs) {
    const reason = `${roundTrips} round trips of ${formatDuration(roundTripMs)}`
    notice(options, `It takes about ${formatEstimate(durationMs)}: ${reason}${without}.\n`)
  }
  return durationMs
}

/** The session with settings by which the servers of the last check stay as it leaves them. */
function keepingServers(session: ReadySession, planned: readonly PlannedCheck[]): ReadySession {
  const last = planned.findLast(({ outOfScope }) => outOfScope === null)
  const { plugin } = session.settings
  if (last === undefined || plugin === null) return session
  const settings: RunSettings = { ...session.settings, plugin: { ...plugin, keepServerOf: last.id } }
  return { ...session, settings }
}

/** Says where the servers of the last check run, and waits for a signal. */
async function waitForSignal({ options, settings, plugin, signal }: ReadySession): Promise<void> {
  const [main, ...launched] = plugin?.running() ?? []
  const urls = launched.length > 0 ? launched : [main]
  const check = settings.plugin?.keepServerOf
  if (signal.aborted || check === undefined || main === undefined) return
  linesStream(options.reporter).write(`\nThe server of ${check} runs at ${urls.join(', ')}. Press Ctrl-C to end it.\n`)
  await once(signal, 'abort')
}
