import { mkdir } from 'node:fs/promises'
import { buildReport } from '../../reports/document.ts'
import { paintFor } from '../../reports/paint.ts'
import type { AccountsRecord, Harm, Report } from '../../reports/report.ts'
import { renderEnd } from '../../reports/terminal.ts'
import { accountsLine, harmLine } from '../../reports/wording.ts'
import { writeReports } from '../../reports/write.ts'
import { createContext, type JudgeSettings } from '../../suites/engine/context.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import { type PlannedCheck, plan } from '../../suites/engine/plan.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { openGate, printEnd } from '../gate/gate.ts'
import { verdictAtGate } from '../gate/judge-gate.ts'
import { accountsToCome } from './account-consent.ts'
import { attest } from './attest.ts'
import { attestAccounts } from './attest-accounts.ts'
import { refuseUnfinished } from './consent.ts'
import { judgedApis, platformApi, pluginApi } from './judged.ts'
import { keepSafe } from './keep-safe.ts'
import { closeServers, lookAtServers, type OpenServers, openServers } from './open-servers.ts'
import type { RunOptions } from './options.ts'
import { accountsToCreate } from './planned-accounts.ts'
import type { Found } from './preflight.ts'
import { record } from './record.ts'
import { rehearse } from './rehearse.ts'
import { runChecks } from './run-checks.ts'
import { showPlan } from './show-plan.ts'

/** Judges a server, writes the reports and returns the exit code. */
export async function run(options: RunOptions, signal: AbortSignal): Promise<number> {
  const startedAt = new Date()
  refuseEmptyPlan(options)
  const gate = await openGate(options.baseline)
  if (options.target.kind === 'url') refuseUnfinished(options.target.url, options.out)
  await mkdir(options.out, { recursive: true })
  const open = await openServers(options)
  try {
    if (options.plan) return await rehearseOnly(planFor(options, open), judgeSettings(options, open))
    const found = await lookAtServers(options, createContext(judgeSettings(options, open), open.driver))
    const scope = withinReach(options, open, found)
    const settings = judgeSettings(scope, open)
    const planned = planFor(scope, open)
    process.stdout.write(`${describeRun(open, scope)}\n`)
    const safe = await keepSafe({ settings, planned, found, options: scope, startedAt })
    const context = createContext(safe, open.driver)
    const outcomes = await runChecks({ settings: safe, planned, open, signal }).catch(async (error: unknown) => {
      // Whatever became of the checks, their rules must not stay behind.
      sayHarm(await attest(context, found.list), attestAccounts(safe.platform))
      throw error
    })
    const harm = await attest(context, found.list)
    const accounts = attestAccounts(safe.platform)
    const report = gate(
      buildReport(record({ options: scope, open, found, planned, outcomes, harm, accounts, startedAt })),
    )
    return await present(report, scope, outcomes)
  } finally {
    await closeServers(open)
  }
}

/** Without a report the terminal is the only place to say what became of the list. */
function sayHarm(harm: Harm | null, accounts: AccountsRecord | null): void {
  const created = accounts === null ? [] : [accountsLine(accounts)]
  process.stderr.write(`${[harmLine(harm), ...(harm?.differences ?? []), ...created].join('\n')}\n`)
}

/** Where the list of somebody else cannot be read, nothing may be written either. */
function withinReach(options: RunOptions, { target }: OpenServers, { list }: Found): RunOptions {
  if (options.target.kind === 'none') return options
  if (list !== null || target.server !== null || options.risk === 'read') return options
  process.stdout.write('The list of rules cannot be read, so nothing is written: the risk is lowered to read.\n')
  return { ...options, risk: 'read' }
}

async function rehearseOnly(planned: readonly PlannedCheck[], settings: JudgeSettings): Promise<number> {
  const { platform } = settings
  const most = platform === undefined || platform.owned ? 0 : accountsToCreate(planned)
  const accounts = platform === undefined || most === 0 ? null : accountsToCome(platform, most)
  process.stdout.write(showPlan(planned, await rehearse(planned, settings), accounts))
  return exitCode.conformant
}

/** First what is about the plugin, then what is about the platform: each has a risk of its own. */
function planFor(options: RunOptions, { target, platform }: OpenServers): readonly PlannedCheck[] {
  const { risk, platformRisk, only, skip } = options
  const { capabilities } = target
  const plugin = options.target.kind === 'none' ? [] : plan({ ...pluginApi, risk, capabilities, only, skip })
  if (platform === null) return plugin
  const { maxAccounts: mostAccounts } = platform
  const granted = platform.target.capabilities
  return [...plugin, ...plan({ ...platformApi, risk: platformRisk, capabilities: granted, only, skip, mostAccounts })]
}

function refuseEmptyPlan(options: RunOptions): void {
  const { risk, only, skip } = options
  const checks = judgedApis(options).flatMap((api) => api.checks)
  if (plan({ checks, risk, capabilities: [], only, skip }).length > 0) return
  throw new UsageError(
    'No check is left: --only and --skip leave nothing to run.',
    'They match ids of checks, requirements and questions, as in --only "plugin.delete.*".',
  )
}

function judgeSettings(options: RunOptions, open: OpenServers): JudgeSettings {
  const { risk, seed, logins, timeoutMs, maxRequestsPerSecond, maxFill } = options
  const { target, secrets, launchKey, platform } = open
  return {
    ...{ target, risk, seed, logins, timeoutMs, maxRequestsPerSecond, maxFill, secrets, launchKey, safety: null },
    ...(platform === null ? {} : { platform: platform.target }),
  }
}

async function present(report: Report, options: RunOptions, outcomes: readonly Outcome[]): Promise<number> {
  const paths = await writeReports(report, options.out)
  printEnd(report, `${renderEnd(report, paintFor(process.stdout))}\nReport: ${paths.html}\n`, paths.summary)
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

function describeRun({ target, platform }: OpenServers, options: RunOptions): string {
  const { risk, platformRisk, seed } = options
  const names = {
    simulator: 'the embedded simulator',
    exec: 'the server of --exec',
    url: 'the server',
    none: null,
  }
  const name = names[options.target.kind]
  const parts = [
    ...(name === null ? [] : [`${name} at ${target.url} (risk ${risk})`]),
    ...(platform === null ? [] : [`the platform at ${platform.target.url} (risk ${platformRisk})`]),
  ]
  return `Judging ${parts.join(' and ')}, seed ${seed}`
}
