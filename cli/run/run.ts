import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { buildReport } from '../../reports/document.ts'
import { paintFor } from '../../reports/paint.ts'
import { formatDuration, formatEstimate, levelCounts } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import { renderDiagnosis, renderEnd, renderVerdictAlone, renderWholeEnd } from '../../reports/terminal.ts'
import { driftCounts } from '../../reports/verdict.ts'
import { removeReports, writeReports } from '../../reports/write.ts'
import { canShowFailure, type Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { type CheckThread, startThread } from '../../suites/runner/run-in-worker.ts'
import { openGate, verdictAtGate } from '../baseline/gate.ts'
import { printEnd, printVerdict } from '../baseline/github.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { requireFolder, unwritable } from '../files.ts'
import { exitCodeAfter, Interruption } from '../interruption.ts'
import type { ReporterName, RunOptions } from '../options/run-options.ts'
import type { ApiUnderTest } from '../target/api.ts'
import { apisModule, apis as everyApi } from '../target/apis.ts'
import { linesStream, notice } from '../target/notice.ts'
import { runChecks } from '../target/run-checks.ts'
import {
  codeOfTarget,
  openTarget,
  type ReadySession,
  requireChecks,
  runCases,
  type TargetSession,
} from '../target/session.ts'
import { showPlan } from '../target/show-plan.ts'
import { diagnose } from './diagnose.ts'
import { openComparison } from './drift.ts'
import { record } from './record.ts'

/** The APIs that may be judged, and a worker thread that has loaded them. */
export interface Registries {
  readonly apis: readonly ApiUnderTest[]
  startThread(): CheckThread
}

const registered: Registries = { apis: everyApi, startThread: () => startThread(apisModule) }

type Reorder = (planned: readonly PlannedCheck[]) => readonly PlannedCheck[]

/** Judges a server, writes the reports and returns the exit code. */
export async function run(
  options: RunOptions,
  signal: AbortSignal,
  reorder: Reorder = (planned) => planned,
  { apis, startThread: start }: Registries = registered,
): Promise<number> {
  // Problems in files of the user must show before anything is sent.
  const { known, applyBaseline } = await openGate(options.baseline)
  const profile = await openComparison(options.profile)
  requireChecks(options, apis)

  using early = createEarlyEnd(options, apis, known)
  const open = () => openTarget(apis, options, AbortSignal.any([signal, early.signal]))
  if (options.plan !== null) {
    await using target = await open()
    await showPlan(target, target.plan(runCases(apis)))
    return exitCode.conformant
  }
  await requireFolder(options.out, 'The report folder')
  // The earlier report stays after wrong usage or a declined question. If the server cannot be judged, it is removed.
  const removeAndRethrow = async (error: unknown) => {
    // The reason why the server cannot be judged matters more than a report that cannot be removed.
    if (!(error instanceof UsageError)) await removeReports(options.out).catch(() => undefined)
    throw error
  }
  await using thread = start()
  await using target = await open().catch(removeAndRethrow)
  const { session, estimatedMs } = await prepare(target, apis, reorder).catch(removeAndRethrow)
  await removeReports(options.out).catch(unwritable('The report folder', 'folder'))

  const questions = session.apis.flatMap(({ api }) => api.questions)
  const defaultAnswers = Object.fromEntries(questions.map((question) => [question.id, question.default]))
  const expectedAnswers = options.evidence === 'all' ? null : { ...defaultAnswers, ...profile.answers }
  const { result: outcomes, ...verification } = await session.verifyAfter(async () => {
    const judged = await runChecks(session, thread, { see: early.see, expectedAnswers, estimatedMs })
    if (options.keepServer) await waitForSignal(session, judged)
    return judged
  })

  const ended = record(session, outcomes, verification)
  const reportWith = (diagnosis: Report['diagnosis']) =>
    profile.compare(applyBaseline(buildReport({ ...ended, diagnosis })))
  const judged = reportWith([])
  const stream = linesStream(options.reporter)
  const render = renderers[options.reporter] ?? renderEnd
  printVerdict(render(judged, paintFor(stream)), stream)
  // Also written before the diagnosis, so that a run that is killed during it has a report.
  await writeReports(judged, options.out)
  const { diagnosis, isCutShort } = await diagnose(session.apis, outcomes, { ...options, signal })
  const report = reportWith(diagnosis)
  const paths = await writeReports(report, options.out)
  const isDiagnosed = options.diagnosisMs > 0 && options.reporter !== 'quiet' && !signal.aborted
  const faults = isDiagnosed ? renderDiagnosis(report, isCutShort ? options.diagnosisMs : null) : ''
  printEnd(report, `${faults}Report: ${paths.html}\n`, paths, stream)
  if (options.reporter === 'json') process.stdout.write(readFileSync(paths.json, 'utf8'))
  return exitCodeAfter(signal, exitCodeOf(report, outcomes, session))
}

/** Inspects the target, says what follows, and asks for consent. */
async function prepare(target: TargetSession, apis: readonly ApiUnderTest[], reorder: Reorder) {
  await target.inspect()
  notice(target.options, `Judging ${target.describe()}\n`)
  const planned = reorder(target.plan(runCases(apis)))
  const estimatedMs = await printEstimate(target, planned)
  return { session: await target.consent(planned), estimatedMs }
}

/** What reporters with an end of their own print. */
const renderers: Partial<Record<ReporterName, typeof renderEnd>> = { quiet: renderVerdictAlone, list: renderWholeEnd }

export function exitCodeOf(report: Report, outcomes: readonly Outcome[], { apis }: Pick<ReadySession, 'apis'>): number {
  const ofTarget = codeOfTarget(apis, report.harm, outcomes)
  if (ofTarget !== null) return ofTarget
  const codes = {
    conformant: exitCode.conformant,
    partial: exitCode.conformant,
    'non-conformant': exitCode.nonConformant,
    incomplete: exitCode.incomplete,
  }
  return driftCounts(report) ? exitCode.nonConformant : codes[verdictAtGate(report)]
}

/** Shorter runs end before the estimate is read. */
const minShownMs = 10_000

/** Prints an estimate of the duration of a long run. Returns the estimate; null if there is none. */
async function printEstimate({ main, options }: TargetSession, planned: readonly PlannedCheck[]) {
  const estimate = await main.estimateDuration?.(planned)
  if (!estimate) return null
  const { durationMs, roundTrips, roundTripMs } = estimate
  const without = options.lifeCycle === null ? '' : ', without the time of its restarts'
  if (durationMs >= minShownMs) {
    const reason = `${roundTrips} round trips of ${formatDuration(roundTripMs)}`
    notice(options, `It takes about ${formatEstimate(durationMs)}: ${reason}${without}.\n`)
  }
  return durationMs
}

/** Prints where the servers of the last check run, and waits for a signal. */
async function waitForSignal({ options, apis, planned, signal }: ReadySession, outcomes: readonly Outcome[]) {
  const [main, ...launched] = apis.flatMap((api) => api.running?.() ?? [])
  const urls = launched.length > 0 ? launched : [main]
  const check = planned.findLast(({ outOfScope }) => outOfScope === null)?.id
  if (signal.aborted || check === undefined || main === undefined) return
  const script = outcomes.find((outcome) => outcome.check === check)?.script
  const state = canShowFailure(script) ? ', in the state before the failure. Give this address to its script' : ''
  linesStream(options.reporter).write(
    `\nThe server of ${check} runs at ${urls.join(', ')}${state}. Press Ctrl-C to end it.\n`,
  )
  await once(signal, 'abort')
}

/** Ends a run after `--max-time` or after the number of failures in `--bail`, without the `known` ones. */
export function createEarlyEnd(
  { maxTimeMs, bail, strict }: Pick<RunOptions, 'maxTimeMs' | 'bail' | 'strict'>,
  apis: readonly ApiUnderTest[],
  known: readonly string[],
) {
  const controller = new AbortController()
  const end = (message: string) => controller.abort(new Interruption(message))
  const timer = maxTimeMs === null ? null : setTimeout(end, maxTimeMs, '`--max-time` is over')
  timer?.unref()
  const counting = apis.flatMap(({ requirements }) => requirements).filter(({ level }) => levelCounts(level, strict))
  const requirements = new Set(counting.map(({ id }) => id))
  const checks = apis.flatMap((api) => api.checks).filter(({ requirement }) => requirements.has(requirement))
  const deciding = new Set(checks.map(({ id }) => id).filter((id) => !known.includes(id)))
  let failures = 0
  return {
    signal: controller.signal,
    see({ check, status }: Outcome) {
      if (status !== 'failed' || !deciding.has(check)) return
      failures += 1
      if (failures === bail) end(`\`--bail ${bail}\` is reached`)
    },
    [Symbol.dispose]: () => clearTimeout(timer ?? undefined),
  }
}
