import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildReport } from '../../reports/document.ts'
import { paintFor } from '../../reports/paint.ts'
import type { Harm, Report } from '../../reports/report.ts'
import { renderEnd } from '../../reports/terminal.ts'
import { writeReports } from '../../reports/write.ts'
import { pluginQuestions } from '../../spec/questions/plugin.ts'
import { pluginRequirements } from '../../spec/requirements/plugin.ts'
import { pluginChecks, pluginObservations } from '../../suites/cases/all.ts'
import { createContext, type JudgeSettings, redactorFor } from '../../suites/engine/context.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import { type PlannedCheck, plan } from '../../suites/engine/plan.ts'
import { runPlan } from '../../suites/engine/run-plan.ts'
import { directly } from '../../suites/http/transport.ts'
import { type Recording, readRecording } from '../../suites/recording/read.ts'
import { replayTape } from '../../suites/recording/replay.ts'
import { UsageError } from '../command-error.ts'
import { kit } from '../kit.ts'
import { makeReportFolder } from '../run/report-folder.ts'
import { exitCodeOf } from '../run/run.ts'
import { standInFor } from './stand-in.ts'

/** What the command line of `replay` holds. */
export interface ReplayFlags {
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly strict: boolean
  readonly complete: boolean
  readonly out: string
}

const checks = [...pluginChecks, ...pluginObservations]

/** Judges recorded exchanges, writes the reports and returns the exit code. Sends nothing. */
export async function replay(file: string, flags: ReplayFlags): Promise<number> {
  const startedAt = new Date()
  const recording = readRecording(file)
  const { run } = recording
  const standIn = standInFor(run.key)
  const folder = await mkdtemp(join(tmpdir(), 'copytrade-tck-replay-'))
  const settings = settingsOf(recording, standIn, join(folder, 'ledger.jsonl'))
  const planned = planFor(recording, flags)
  process.stdout.write(`Judging what ${run.url} answered on ${run.startedAt} (risk ${run.risk}, seed ${run.seed})\n`)
  const { restore } = await answering(recording, standIn)
  try {
    const tape = replayTape(recording, { redact: redactorFor(settings), standIn })
    const outcomes = await runPlan(planned, checks, createContext(settings, null, tape))
    return await present(reportOf({ recording, flags, settings, outcomes, startedAt }), flags.out, outcomes)
  } finally {
    restore()
    await rm(folder, { recursive: true, force: true })
  }
}

async function answering(recording: Recording, standIn: string): Promise<{ readonly restore: () => void }> {
  try {
    const { answerRecorded } = await import('./answer-recorded.ts')
    return answerRecorded(recording, standIn)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError('A replay needs the package nock.', 'Install it: npm install --save-dev nock@14')
  }
}

/** What was recorded before a check existed says nothing about it. */
function planFor({ run, checks: recorded }: Recording, { only, skip }: ReplayFlags): readonly PlannedCheck[] {
  const capabilities = run.capacity === null ? [] : (['stated-capacity'] as const)
  const planned = plan({ checks, risk: run.risk, capabilities, only, skip })
  if (planned.length === 0) {
    throw new UsageError('No check is left: --only and --skip leave nothing to judge.', 'They match ids as in run.')
  }
  return planned.map(({ id, outOfScope }) => ({
    id,
    outOfScope: outOfScope ?? (recorded.has(id) ? null : 'the recorded run did not run this check'),
  }))
}

function settingsOf({ run }: Recording, standIn: string, ledgerFile: string): JudgeSettings {
  const { url, capacity, risk, seed, thorough, logins, timeoutMs, maxFill, before } = run
  return {
    target: {
      kind: 'url',
      url,
      transport: directly,
      key: standIn,
      server: null,
      capabilities: capacity === null ? [] : ['stated-capacity'],
      capacity,
    },
    ...{ risk, seed, thorough, logins, timeoutMs, maxFill },
    maxRequestsPerSecond: null,
    secrets: [standIn],
    launchKey: `${standIn}-launched`,
    // The same guard as then: it reads the list around each removal, and the recording holds that.
    safety: before === null ? null : { before, ledgerFile, mostWrites: Number.POSITIVE_INFINITY },
  }
}

interface Replayed {
  readonly recording: Recording
  readonly flags: ReplayFlags
  readonly settings: JudgeSettings
  readonly outcomes: readonly Outcome[]
  readonly startedAt: Date
}

function reportOf({ recording, flags, settings, outcomes, startedAt }: Replayed): Report {
  const { run, harm } = recording
  const { only, skip, strict, complete } = flags
  return buildReport({
    kit,
    target: { kind: 'url', url: run.url, plugin: run.plugin },
    scope: { risk: run.risk, capabilities: settings.target.capabilities, only, skip, strict, complete },
    seed: run.seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requirements: pluginRequirements,
    questions: pluginQuestions,
    checks,
    outcomes,
    harm: harm as Harm | null,
    replay: { recordedAt: run.startedAt, kit: run.kit },
  })
}

async function present(report: Report, out: string, outcomes: readonly Outcome[]): Promise<number> {
  await makeReportFolder(out)
  const paths = await writeReports(report, out)
  process.stdout.write(`${renderEnd(report, paintFor(process.stdout))}\nReport: ${paths.html}\n`)
  return exitCodeOf(report, outcomes)
}
