import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { buildReport, type RunRecord } from '../../reports/document.ts'
import { paintFor } from '../../reports/paint.ts'
import type { Harm, Report } from '../../reports/report.ts'
import { renderEnd } from '../../reports/terminal.ts'
import { writeReports } from '../../reports/write.ts'
import { pluginQuestions } from '../../spec/questions/plugin.ts'
import { pluginRequirements } from '../../spec/requirements/plugin.ts'
import { pluginChecks, pluginObservations } from '../../suites/cases/all.ts'
import { type Context, createContext, type JudgeSettings } from '../../suites/engine/context.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import { type PlannedCheck, plan } from '../../suites/engine/plan.ts'
import { settle } from '../../suites/engine/settle.ts'
import { differences, type ListState, listState } from '../../suites/safety/list-state.ts'
import { offerDriver } from '../../suites/targets/remote.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { kit } from '../kit.ts'
import { type OpenTarget, openTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { type Found, preflight } from './preflight.ts'
import { createProgress } from './progress.ts'

const checks = [...pluginChecks, ...pluginObservations]
const titles = new Map(checks.map(({ id, title }) => [id, title]))

/** Far more than any check needs; it only ends what would never end. */
const checkTimeoutMs = 300_000

/** Judges a server, writes the reports and returns the exit code. */
export async function run(options: RunOptions, signal: AbortSignal): Promise<number> {
  const startedAt = new Date()
  refuseEmptyPlan(options)
  await mkdir(options.out, { recursive: true })
  const open = await openTarget(options)
  try {
    const settings = judgeSettings(options, open)
    const context = createContext(settings, open.driver)
    const found = await preflight(context)
    process.stdout.write(`${describeRun(open, options)}\n`)
    const planned = planFor(options, open)
    const outcomes = await runChecks({ settings, planned, open, signal })
    const harm = await attest(context, found)
    const report = buildReport(record({ options, open, found, planned, outcomes, harm, startedAt }))
    return await present(report, options, context)
  } finally {
    await open.driver?.discardAll()
  }
}

function planFor({ risk, only, skip }: RunOptions, { target }: OpenTarget): readonly PlannedCheck[] {
  return plan({ checks, risk, capabilities: target.capabilities, only, skip })
}

function refuseEmptyPlan({ risk, only, skip }: RunOptions): void {
  if (plan({ checks, risk, capabilities: [], only, skip }).length > 0) return
  throw new UsageError(
    'No check is left: --only and --skip leave nothing to run.',
    'They match ids of checks, requirements and questions, as in --only "plugin.delete.*".',
  )
}

function judgeSettings(options: RunOptions, { target, secrets, launchKey }: OpenTarget): JudgeSettings {
  const { risk, seed, logins, timeoutMs, maxRequestsPerSecond, maxFill } = options
  return { target, risk, seed, logins, timeoutMs, maxRequestsPerSecond, maxFill, secrets, launchKey }
}

interface ChecksToRun {
  readonly settings: JudgeSettings
  readonly planned: readonly PlannedCheck[]
  readonly open: OpenTarget
  readonly signal: AbortSignal
}

async function runChecks({ settings, planned, open, signal }: ChecksToRun): Promise<readonly Outcome[]> {
  // Vitest takes a while to load; everything that can go wrong before it must not wait for it.
  const { runSuite } = await import('../../suites/engine/run-suite.ts')
  const driverChannel = open.driver && `copytrade-tck-${randomUUID()}`
  const offered = open.driver && driverChannel ? offerDriver(open.driver, driverChannel) : null
  const stream = process.stdout
  const progress = createProgress({ stream, paint: paintFor(stream), total: planned.length, titles })
  try {
    const setup = { settings, plan: planned, driverChannel }
    return await runSuite({ setup, checkTimeoutMs, signal, onOutcome: progress.show })
  } finally {
    progress.end()
    offered?.close()
  }
}

/** Takes away what may still be there and compares the list with the one that was found. */
async function attest(context: Context, { list: before }: Found): Promise<Harm | null> {
  if (before === null) return null
  try {
    context.before = before.rules
    if (context.settings.risk !== 'read') await settle(context)
    return harmBetween(before, listState(await context.main.rules.read()))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const { rules, hash } = before
    return {
      rulesBefore: rules.length,
      rulesAfter: 0,
      hashBefore: hash,
      hashAfter: '',
      restored: false,
      differences: [`the list could not be read after the run: ${reason}`],
    }
  }
}

function harmBetween(before: ListState, after: ListState): Harm {
  return {
    rulesBefore: before.rules.length,
    rulesAfter: after.rules.length,
    hashBefore: before.hash,
    hashAfter: after.hash,
    restored: before.hash === after.hash,
    differences: differences(before.rules, after.rules),
  }
}

interface Finished {
  readonly options: RunOptions
  readonly open: OpenTarget
  readonly found: Found
  readonly planned: readonly PlannedCheck[]
  readonly outcomes: readonly Outcome[]
  readonly harm: Harm | null
  readonly startedAt: Date
}

function record({ options, open, found, planned, outcomes, harm, startedAt }: Finished): RunRecord {
  const { risk, only, skip, strict, complete, seed } = options
  const { kind, url, capabilities } = open.target
  return {
    kit,
    target: { kind, url, plugin: found.plugin },
    scope: { risk, capabilities, only, skip, strict, complete },
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requirements: pluginRequirements,
    questions: pluginQuestions,
    checks,
    outcomes: [...outcomes, ...interrupted(planned, outcomes)],
    harm,
  }
}

/** What was planned and never ran, because the run was broken off. */
function interrupted(planned: readonly PlannedCheck[], outcomes: readonly Outcome[]): readonly Outcome[] {
  const ended = new Set(outcomes.map(({ check }) => check))
  return planned
    .filter(({ id }) => !ended.has(id))
    .map(({ id }) => ({
      check: id,
      status: 'blocked',
      durationMs: 0,
      message: 'the run was interrupted before this check',
      expected: null,
      actual: null,
      curl: null,
      exchanges: [],
      exchangesOmitted: 0,
      answer: null,
    }))
}

async function present(report: Report, options: RunOptions, context: Context): Promise<number> {
  const paths = await writeReports(report, options.out)
  process.stdout.write(`${renderEnd(report, paintFor(process.stdout))}\n`)
  process.stdout.write(`Report: ${paths.html}\n`)
  if (report.harm !== null && !report.harm.restored) return exitCode.harmed
  if (hasKitError(report)) return exitCode.kitError
  if (context.gone !== null || wentAway(report)) return exitCode.unreachable
  const codes = {
    conformant: exitCode.conformant,
    'non-conformant': exitCode.nonConformant,
    incomplete: exitCode.incomplete,
  }
  return codes[report.verdict]
}

function hasKitError({ requirements, observations }: Report): boolean {
  return (
    requirements.some((one) => one.checks.some(({ status }) => status === 'error')) ||
    observations.some(({ status }) => status === 'error')
  )
}

function wentAway({ requirements }: Report): boolean {
  return requirements.some((one) =>
    one.checks.some(({ message }) => message?.startsWith('the target stopped answering') === true),
  )
}

function describeRun({ target }: OpenTarget, { risk, seed }: RunOptions): string {
  const what = { simulator: 'the embedded simulator', exec: 'the server of --exec', url: 'the server' }[target.kind]
  return `Judging ${what} at ${target.url} (risk ${risk}, seed ${seed})`
}
