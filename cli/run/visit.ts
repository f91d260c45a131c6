import { mkdir } from 'node:fs/promises'
import type { Harm } from '../../reports/report.ts'
import { harmLine } from '../../reports/wording.ts'
import { createContext, type JudgeSettings, type SafetySettings } from '../../suites/engine/context.ts'
import { createRedactor } from '../../suites/safety/redact.ts'
import type { Driver } from '../../suites/targets/driver.ts'
import { lendLive } from '../life-cycle/lend-live.ts'
import { warningsAbout } from '../transport/explain.ts'
import { attest } from './attest.ts'
import { announce, refuseUnfinished } from './consent.ts'
import { type OpenTarget, openTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { type Found, preflight } from './preflight.ts'

/** What is to be expected of a visit. */
export interface Foreseen {
  /** What would be sent, in words. */
  readonly plan: string
  readonly mostWrites: number
  /** What becomes of the life of a server that the kit did not start. */
  readonly lifeCycle: 'restarted' | 'emptied' | null
}

/** What a command wants of a target. */
export interface Errand<Result> {
  readonly options: RunOptions
  /** Ends the visit early. */
  readonly signal: AbortSignal
  /** Sends nothing to the target. */
  foresee(settings: JudgeSettings, open: OpenTarget): Promise<Foreseen>
  /** One line about what is going to be done. */
  describe(open: OpenTarget, options: RunOptions): string
  work(visit: Visit): Promise<Result>
}

/** A target that was looked at and may now be worked with. */
export interface Visit {
  /** With the risk lowered where the list cannot be read. */
  readonly options: RunOptions
  readonly open: OpenTarget
  readonly found: Found
  readonly settings: JudgeSettings
  /** Null where the kit drives no server. */
  readonly driver: Driver | null
}

/** A visit that has ended. */
export interface Visited<Result> extends Visit {
  readonly result: Result
  readonly harm: Harm | null
  readonly startedAt: Date
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
  if (options.target.kind === 'url') refuseUnfinished(options.target.url, options.target.transport, options.out)
  await mkdir(options.out, { recursive: true })
  const open = await openTarget(options)
  try {
    if (options.plan) {
      process.stdout.write((await errand.foresee(judgeSettings(options, open), open)).plan)
      return null
    }
    sayWarnings(open)
    const found = await preflight(createContext(judgeSettings(options, open), open.driver))
    const scope = withinReach(options, open, found)
    const settings = judgeSettings(scope, open)
    process.stdout.write(`${errand.describe(open, scope)}\n`)
    const safety = await keepSafe(errand, { settings, found, options: scope, open, startedAt })
    const safe = { ...settings, safety }
    const context = createContext(safe, open.driver)
    const live = await lendLive({ settings: safe, options: scope, signal: errand.signal })
    const ready = { options: scope, open, found, settings: safe, driver: open.driver ?? live }
    const result = await errand.work(ready).catch(async (error: unknown) => {
      // Whatever became of the work, the rules of the kit must not stay behind.
      sayHarm(await attest(context, found.list, live))
      throw error
    })
    return { ...ready, result, harm: await attest(context, found.list, live), startedAt }
  } finally {
    await open.driver?.discardAll()
  }
}

/** Before anything is sent, so that it is read before the key has gone. */
function sayWarnings({ target }: OpenTarget): void {
  for (const line of warningsAbout(target.url, target.transport)) process.stderr.write(`${line}\n`)
}

/** Without a report the terminal is the only place to say what became of the list. */
export function sayHarm(harm: Harm | null): void {
  process.stderr.write(`${[harmLine(harm), ...(harm?.differences ?? [])].join('\n')}\n`)
}

/** Where the list of somebody else cannot be read, nothing may be written either. */
function withinReach(options: RunOptions, { target }: OpenTarget, { list }: Found): RunOptions {
  if (list !== null || target.server !== null || options.risk === 'read') return options
  process.stdout.write('The list of rules cannot be read, so nothing is written: the risk is lowered to read.\n')
  return { ...options, risk: 'read' }
}

interface Precaution extends Omit<Visit, 'driver'> {
  readonly startedAt: Date
}

/** What keeps the rules of others safe; a server that the kit started holds none. */
async function keepSafe<Result>(
  errand: Errand<Result>,
  { settings, open, found, options, startedAt }: Precaution,
): Promise<SafetySettings | null> {
  if (settings.target.server !== null || found.list === null) return null
  const before = found.list.rules
  if (settings.risk === 'read') return { before, ledgerFile: null, mostWrites: 0 }
  const { mostWrites, lifeCycle } = await errand.foresee(settings, open)
  const { out, yes } = options
  const redact = createRedactor(settings.secrets)
  const ledgerFile = await announce({ settings, list: found.list, mostWrites, lifeCycle, out, yes, startedAt, redact })
  return { before, ledgerFile, mostWrites }
}

function judgeSettings(options: RunOptions, { target, secrets, launchKey }: OpenTarget): JudgeSettings {
  const { risk, seed, thorough, logins, timeoutMs, maxRequestsPerSecond, maxFill } = options
  return {
    ...{ target, risk, seed, thorough, logins, timeoutMs, maxRequestsPerSecond, maxFill, secrets, launchKey },
    safety: null,
  }
}
