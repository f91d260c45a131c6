import { mkdir } from 'node:fs/promises'
import { buildReport } from '../../reports/document.ts'
import { paintFor } from '../../reports/paint.ts'
import type { Harm, Report } from '../../reports/report.ts'
import { renderEnd } from '../../reports/terminal.ts'
import { harmLine } from '../../reports/wording.ts'
import { writeReports } from '../../reports/write.ts'
import { pluginChecks, pluginObservations } from '../../suites/cases/all.ts'
import { createContext, type JudgeSettings, type SafetySettings } from '../../suites/engine/context.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import { type PlannedCheck, plan } from '../../suites/engine/plan.ts'
import { createRedactor } from '../../suites/safety/redact.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { openGate, printEnd } from '../gate/gate.ts'
import { verdictAtGate } from '../gate/judge-gate.ts'
import { attest } from './attest.ts'
import { announce, refuseUnfinished } from './consent.ts'
import { type OpenTarget, openTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { type Found, preflight } from './preflight.ts'
import { record } from './record.ts'
import { beginRecording } from './recording.ts'
import { rehearse } from './rehearse.ts'
import { runChecks } from './run-checks.ts'
import { showPlan } from './show-plan.ts'

const checks = [...pluginChecks, ...pluginObservations]

/** Judges a server, writes the reports and returns the exit code. */
export async function run(options: RunOptions, signal: AbortSignal): Promise<number> {
  const startedAt = new Date()
  refuseEmptyPlan(options)
  const gate = await openGate(options.baseline)
  if (options.target.kind === 'url') refuseUnfinished(options.target.url, options.out)
  await mkdir(options.out, { recursive: true })
  const open = await openTarget(options)
  try {
    if (options.plan) return await rehearseOnly(planFor(options, open), judgeSettings(options, open))
    const found = await preflight(createContext(judgeSettings(options, open), open.driver))
    const scope = withinReach(options, open, found)
    const settings = judgeSettings(scope, open)
    const planned = planFor(scope, open)
    process.stdout.write(`${describeRun(open, scope)}\n`)
    const safe = { ...settings, safety: await keepSafe({ settings, planned, found, options: scope, startedAt }) }
    const context = createContext(safe, open.driver)
    const recording = beginRecording({ options: scope, settings: safe, found, startedAt })
    const outcomes = await runChecks({ settings: safe, planned, open, signal, recordingFile: scope.record }).catch(
      async (error: unknown) => {
        // Whatever became of the checks, their rules must not stay behind.
        sayHarm(await attest(context, found.list))
        throw error
      },
    )
    const harm = await attest(context, found.list)
    recording.end(harm)
    const report = gate(buildReport(record({ options: scope, open, found, planned, outcomes, harm, startedAt })))
    return await present(report, scope, outcomes)
  } finally {
    await open.driver?.discardAll()
  }
}

/** Without a report the terminal is the only place to say what became of the list. */
function sayHarm(harm: Harm | null): void {
  process.stderr.write(`${[harmLine(harm), ...(harm?.differences ?? [])].join('\n')}\n`)
}

/** Where the list of somebody else cannot be read, nothing may be written either. */
export function withinReach(options: RunOptions, { target }: OpenTarget, { list }: Found): RunOptions {
  if (list !== null || target.server !== null || options.risk === 'read') return options
  process.stdout.write('The list of rules cannot be read, so nothing is written: the risk is lowered to read.\n')
  return { ...options, risk: 'read' }
}

async function rehearseOnly(planned: readonly PlannedCheck[], settings: JudgeSettings): Promise<number> {
  process.stdout.write(showPlan(planned, await rehearse(planned, settings)))
  return exitCode.conformant
}

interface Precaution {
  readonly settings: JudgeSettings
  readonly planned: readonly PlannedCheck[]
  readonly found: Found
  readonly options: RunOptions
  readonly startedAt: Date
}

/** What keeps the rules of others safe; a server that the kit started holds none. */
export async function keepSafe({
  settings,
  planned,
  found,
  options,
  startedAt,
}: Precaution): Promise<SafetySettings | null> {
  if (settings.target.server !== null || found.list === null) return null
  const before = found.list.rules
  if (settings.risk === 'read') return { before, ledgerFile: null, mostWrites: 0 }
  const { mostWrites } = await rehearse(planned, settings)
  const { out, yes } = options
  const redact = createRedactor(settings.secrets)
  const ledgerFile = await announce({ settings, list: found.list, mostWrites, out, yes, startedAt, redact })
  return { before, ledgerFile, mostWrites }
}

export function planFor({ risk, only, skip }: RunOptions, { target }: OpenTarget): readonly PlannedCheck[] {
  return plan({ checks, risk, capabilities: target.capabilities, only, skip })
}

export function refuseEmptyPlan({ risk, only, skip }: RunOptions): void {
  if (plan({ checks, risk, capabilities: [], only, skip }).length > 0) return
  throw new UsageError(
    'No check is left: --only and --skip leave nothing to run.',
    'They match ids of checks, requirements and questions, as in --only "plugin.delete.*".',
  )
}

export function judgeSettings(options: RunOptions, { target, secrets, launchKey }: OpenTarget): JudgeSettings {
  const { risk, seed, logins, timeoutMs, maxRequestsPerSecond, maxFill } = options
  return { target, risk, seed, logins, timeoutMs, maxRequestsPerSecond, maxFill, secrets, launchKey, safety: null }
}

async function present(report: Report, options: RunOptions, outcomes: readonly Outcome[]): Promise<number> {
  const paths = await writeReports(report, options.out)
  printEnd(report, `${renderEnd(report, paintFor(process.stdout))}\nReport: ${paths.html}\n`, paths.summary)
  return exitCodeOf(report, outcomes)
}

/** The exit code that a report stands for. */
export function exitCodeOf(report: Report, outcomes: readonly Outcome[]): number {
  if (report.harm?.unreachable || outcomes.some(({ stop }) => stop === 'unreachable')) return exitCode.unreachable
  if (report.harm !== null && !report.harm.restored) return exitCode.harmed
  if (hasKitError(report)) return exitCode.kitError
  const codes = {
    conformant: exitCode.conformant,
    'non-conformant': exitCode.nonConformant,
    incomplete: exitCode.incomplete,
  }
  return codes[verdictAtGate(report)]
}

function hasKitError({ requirements, observations }: Report): boolean {
  return (
    requirements.some((one) => one.checks.some(({ status }) => status === 'error')) ||
    observations.some(({ status }) => status === 'error')
  )
}

function describeRun({ target }: OpenTarget, { risk, seed }: RunOptions): string {
  const what = { simulator: 'the embedded simulator', exec: 'the server of --exec', url: 'the server' }[target.kind]
  return `Judging ${what} at ${target.url} (risk ${risk}, seed ${seed})`
}
