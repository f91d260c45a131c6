import { accountsLine, listChangesLine } from '../../reports/phrases.ts'
import type { AccountsRecord, Harm } from '../../reports/report.ts'
import { createRunContext, type RunSettings } from '../../suites/runner/context.ts'
import type { Driver } from '../../suites/targets/driver.ts'
import { leaseLiveServer } from '../life-cycle/lease-live-server.ts'
import type { RunOptions } from '../options/run-options.ts'
import { warningsAbout } from '../transport/explain.ts'
import { keepSafe } from './keep-safe.ts'
import { closeServers, lookAtServers, type OpenServers, openServers } from './open-servers.ts'
import { attestAccounts } from './platform/attest-accounts.ts'
import { rejectUnfinished } from './plugin/consent.ts'
import type { Found } from './plugin/inspect.ts'
import { attest } from './plugin/verify.ts'
import { makeReportFolder } from './report-folder.ts'

/** What is to be expected of a visit. */
export interface Foreseen {
  /** What would be sent, in words. */
  readonly plan: string
  readonly mostWrites: number
  /** What becomes of the life of a server that the kit did not start. */
  readonly lifeCycle: 'restarted' | 'emptied' | null
  /** The most accounts that may be created on a platform of somebody else. */
  readonly mostAccounts: number
}

/** What a command wants of a target. */
export interface Errand<Result> {
  readonly options: RunOptions
  /** Ends the visit early. */
  readonly signal: AbortSignal
  /** Sends nothing to the target. */
  foresee(settings: RunSettings, open: OpenServers): Promise<Foreseen>
  /** One line about what is going to be done. */
  describe(open: OpenServers, options: RunOptions): string
  work(visit: Visit): Promise<Result>
}

/** A target that was looked at and may now be worked with. */
export interface Visit {
  /** With the risk lowered where the list cannot be read. */
  readonly options: RunOptions
  readonly open: OpenServers
  readonly found: Found
  readonly settings: RunSettings
  /** Null where the kit drives no server. */
  readonly driver: Driver | null
  readonly startedAt: Date
}

/** A visit that has ended. */
export interface Visited<Result> extends Visit {
  readonly result: Result
  readonly harm: Harm | null
  /** What was created on a platform of somebody else; null where there is none. */
  readonly accounts: AccountsRecord | null
}

/**
 * Opens the target, looks at it, asks for consent and opens the ledger, does the work, and takes
 * away whatever it has left behind: also when it fails. Null for `--plan`, which only prints.
 *
 * @throws {UsageError} before anything was written
 * @throws {UnreachableError} when nothing answers, or the key is refused
 */
export async function visit<Result>(errand: Errand<Result>): Promise<Visited<Result> | null> {
  const { options } = errand
  const startedAt = new Date()
  if (options.target.kind === 'url') rejectUnfinished(options.target.url, options.target.transport, options.out)
  await makeReportFolder(options.out)
  const open = await openServers(options)
  try {
    if (options.plan) {
      process.stdout.write((await errand.foresee(judgeSettings(options, open), open)).plan)
      return null
    }
    sayWarnings(open)
    const found = await lookAtServers(createRunContext(judgeSettings(options, open), open.driver))
    const scope = withinReach(options, open, found)
    const settings = judgeSettings(scope, open)
    process.stdout.write(`${errand.describe(open, scope)}\n`)
    const foreseen = needsForesight(settings) ? await errand.foresee(settings, open) : nothing
    const safe = await keepSafe({ settings, foreseen, found, options: scope, startedAt })
    const context = createRunContext(safe, open.driver)
    const live = await leaseLiveServer({ settings: safe.plugin, options: scope, signal: errand.signal })
    const ready = { options: scope, open, found, settings: safe, driver: open.driver ?? live, startedAt }
    const result = await errand.work(ready).catch(async (error: unknown) => {
      // Whatever became of the work, the rules of the kit must not stay behind.
      sayHarm(await attest(context.plugin, found.list, live), attestAccounts(safe.platform?.target))
      throw error
    })
    const harm = await attest(context.plugin, found.list, live)
    return { ...ready, result, harm, accounts: attestAccounts(safe.platform?.target) }
  } finally {
    await closeServers(open)
  }
}

/** Before anything is sent, so that it is read before the key has gone. */
function sayWarnings({ target, platform }: OpenServers): void {
  const servers = platform === null || platform.target.url === target.url ? [target] : [target, platform.target]
  for (const { url, transport } of servers) {
    for (const line of warningsAbout(url, transport)) process.stderr.write(`${line}\n`)
  }
}

/** Without a report the terminal is the only place to say what became of the list. */
function sayHarm(harm: Harm | null, accounts: AccountsRecord | null): void {
  const created = accounts === null ? [] : [accountsLine(accounts)]
  process.stderr.write(`${[listChangesLine(harm), ...(harm?.differences ?? []), ...created].join('\n')}\n`)
}

/** Where the list of somebody else cannot be read, nothing may be written either. */
function withinReach(options: RunOptions, { target }: OpenServers, { list }: Found): RunOptions {
  if (options.target.kind === 'none') return options
  if (list !== null || target.server !== null || options.risk === 'read') return options
  process.stdout.write('The list of rules cannot be read, so nothing is written: the risk is lowered to read.\n')
  return { ...options, risk: 'read' }
}

const nothing: Foreseen = { plan: '', mostWrites: 0, lifeCycle: null, mostAccounts: 0 }

/** Where nobody is harmed whatever is sent, or nothing but reads, there is nothing to announce. */
function needsForesight({ plugin, platform }: RunSettings): boolean {
  const writesRules = plugin !== null && plugin.target.server === null && plugin.risk !== 'read'
  return writesRules || (platform !== null && platform.target.safety !== null)
}

function judgeSettings(options: RunOptions, { target, secrets, launchKey, platform }: OpenServers): RunSettings {
  const { risk, seed, thorough, logins, timeoutMs, maxRequestsPerSecond, maxFill } = options
  const common = { timeoutMs, maxRequestsPerSecond }
  return {
    plugin:
      options.target.kind === 'none'
        ? null
        : {
            ...{ ...common, target, risk, seed, thorough, logins, maxFill, launchKey },
            secrets: [...secrets, launchKey],
            safety: null,
          },
    platform: platform && { ...common, target: platform.target, secrets: platform.secrets },
  }
}
