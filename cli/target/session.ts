import { accountsLine, listChangesLine } from '../../reports/phrases.ts'
import type { Harm } from '../../reports/report.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { Api, RunSettings } from '../../suites/runner/define-api.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { type PlannedCheck, type PlanOptions, plan } from '../../suites/runner/plan.ts'
import { createShared, type Shared } from '../../suites/runner/shared.ts'
import { removePrivateFolders } from '../../suites/safety/private-folder.ts'
import type { Case } from '../../suites/session/check.ts'
import type { Driver } from '../../suites/targets/driver.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { requireFolder } from '../files.ts'
import type { RunOptions } from '../options/run-options.ts'
import { warningsAbout } from '../transport/explain.ts'
import type { ApiUnderTest, OpenApi, Verification, WriteEstimate } from './api.ts'
import { apis as everyApi } from './apis.ts'

/** The opened servers of a command. `inspect` and `consent` follow, in this order, before anything is judged. */
export class TargetSession<Opened extends OpenApi = OpenApi> implements AsyncDisposable {
  readonly startedAt = new Date()
  readonly startedMs = performance.now()
  /** The servers, in the order in which they are judged. */
  readonly apis: Opened[] = []
  readonly options: RunOptions
  readonly shared: Shared
  readonly signal: AbortSignal

  constructor(options: RunOptions, shared: Shared, signal: AbortSignal) {
    this.options = options
    this.shared = shared
    this.signal = signal
  }

  /** The first server, or the only one. */
  get main(): Opened {
    const [first] = this.apis
    if (first === undefined) throw new Error('a command judges at least one API')
    return first
  }

  describe(): string {
    return `${this.apis.map((api) => api.describe()).join(' and ')}, seed ${this.options.seed}`
  }

  /** Sends only GET. */
  async inspect(): Promise<void> {
    // Printed before the key is sent.
    const warnings = new Set(this.apis.flatMap(({ url, transport }) => warningsAbout(url, transport)))
    for (const line of warnings) process.stderr.write(`${line}\n`)
    for (const api of this.apis) await api.inspect()
  }

  /** Plans one API after the other, since each has its own risk. */
  plan(cases: readonly Case[]): readonly PlannedCheck[] {
    return this.apis.flatMap((open) => open.plan(cases.filter((check) => open.api.cases.includes(check))))
  }

  /**
   * Announces the writes to foreign servers, asks for consent, and opens the ledgers. Commands that send more than the
   * checks of their plan give `writes`. @throws {UsageError} without consent
   */
  async consent(planned: readonly PlannedCheck[], writes?: WriteEstimate): Promise<ReadySession<Opened>> {
    for (const api of this.apis) await api.consent(planned, writes)
    const settings = Object.fromEntries(this.apis.map((api) => [api.api.name, api.settings]))
    const driver = this.apis.find((api) => api.driver !== null)?.driver ?? null
    return Object.assign(this, { planned, settings, driver })
  }

  /** Runs `work`, then verifies the state of the servers, even if `work` throws. */
  async verifyAfter<Result>(work: () => Promise<Result>) {
    const result = await work().catch(async (error: unknown) => {
      // Rules of the kit must not be left behind, and without a report only the terminal can say so.
      const { harm, accounts } = await this.verify()
      const created = accounts === null ? [] : [accountsLine(accounts)]
      process.stderr.write(
        `${[listChangesLine(harm), ...(harm?.differences ?? []).map(visibleLine), ...created].join('\n')}\n`,
      )
      throw error
    })
    return { result, ...(await this.verify()) }
  }

  /** Removes what the kit left behind, and returns how the servers were left. */
  private async verify(): Promise<Verification> {
    const verification: Verification = { harm: null, accounts: null }
    for (const api of this.apis) Object.assign(verification, await api.verify())
    // An error on the way to the report must not hide it.
    if (codeOfTarget(this.apis, verification.harm) === exitCode.harmed) process.exitCode = exitCode.harmed
    return verification
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const api of this.apis) await api.close()
  }
}

/** A session after consent was given and the ledger was opened. */
export interface ReadySession<Opened extends OpenApi = OpenApi> extends TargetSession<Opened> {
  readonly planned: readonly PlannedCheck[]
  readonly settings: RunSettings
  /** Null if the kit drives no server. */
  readonly driver: Driver | null
}

/** Opens the servers that the options name. Sends nothing to running servers. */
export async function openTarget<Opened extends OpenApi>(
  apis: readonly ApiUnderTest<Opened>[],
  options: RunOptions,
  signal: AbortSignal,
): Promise<TargetSession<Opened>> {
  for (const line of limitsOfSystem(options)) process.stderr.write(`${line}\n`)
  await requireFolder(options.out, 'The report folder')
  removePrivateFolders(options.out)
  const chosen = apis.map((api) => api.choose(options)).filter((one) => one !== null)
  const { maxRequestsPerSecond } = options
  const shared = createShared(chosen.map((one) => ({ ...one, maxRequestsPerSecond })))
  const session = new TargetSession<Opened>(options, shared, signal)
  try {
    for (const one of chosen) session.apis.push(await one.open(session))
    return session
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}

/** What happened to a list, for the end of a command in the terminal. */
export function listChangesText(harm: Harm | null): string {
  const details = [...(harm?.interference ?? []), ...(harm?.differences ?? [])].map((line) => `  ${visibleLine(line)}`)
  return `${[`(${listChangesLine(harm)})`, ...details].join('\n')}\n`
}

/** What a run cannot do on this system, one line each. @throws {UsageError} if it cannot work at all */
export function limitsOfSystem(
  { target, lifeCycle }: Pick<RunOptions, 'target' | 'lifeCycle'>,
  system: NodeJS.Platform = process.platform,
): readonly string[] {
  const isWindows = system === 'win32'
  if (isWindows && target.kind === 'exec') {
    throw new UsageError(
      '`--exec` does not work on Windows, which has no process groups: the kit could not end your server.',
      'Run the kit in WSL, give an image with `--container`, or start the server and give its address with `--target`.',
    )
  }
  const hasHooks = Object.keys(lifeCycle?.hooks ?? {}).length > 0
  return [
    ...(isWindows && hasHooks ? ['On Windows a hook that exceeds `--hook-timeout` is not ended.'] : []),
    ...(system !== 'linux' && target.kind === 'exec' ? [withoutProc] : []),
  ]
}

const withoutProc =
  'Without /proc the kit does not notice another server on the port of yours, nor where a silent server listens.'

export function runCases(apis: readonly Pick<Api, 'checks' | 'observations'>[]) {
  return apis.flatMap(({ checks, observations }) => [...checks, ...observations])
}

/** Fails before anything is opened if the options select no check, or a glob matches none. @throws {UsageError} */
export function requireChecks(
  options: RunOptions,
  apis: readonly ApiUnderTest[],
  cases: readonly Case[] = runCases(apis),
): void {
  const { risk, only, skip } = options
  const judged = apis.filter((api) => api.choose(options) !== null).flatMap((api) => api.cases)
  const checks = cases.filter((check) => judged.includes(check))
  const hint = 'Match ids of checks, requirements or questions, like `--only "plugin.delete.*"`.'
  const isNothing = (selected: PlanOptions) => plan(selected).length === 0
  // A file of options may serve runs with a platform and without, and `--failed` gives the ids of both.
  const known = [...runCases([...everyApi, ...apis]), ...cases]
  const matchesNone = (glob: string) => isNothing({ checks: known, risk, capabilities: [], only: [glob], skip: [] })
  for (const [flag, globs] of Object.entries({ '--only': only, '--skip': skip })) {
    const wrong = globs.find(matchesNone)
    if (wrong !== undefined) throw new UsageError(`No check matches \`${flag} ${wrong}\`.`, hint)
  }
  if (isNothing({ checks, risk, capabilities: [], only, skip })) {
    throw new UsageError('No check is selected by `--only` and `--skip`.', hint)
  }
}

/**
 * The exit code if a problem with a target outweighs the verdict; null otherwise. `harm` is that of the first server.
 * A server that the kit started was judged if it died, and its list needs no recovery.
 */
export function codeOfTarget(
  servers: readonly (Pick<OpenApi, 'kind'> & { readonly api: Pick<Api, 'cases'> })[],
  harm: Pick<Harm, 'restored' | 'unreachable'> | null,
  outcomes: readonly Pick<Outcome, 'check' | 'status' | 'stop'>[] = [],
): number | null {
  const isForeign = servers[0]?.kind === 'url'
  if (harm?.restored === false && !harm.unreachable) return isForeign ? exitCode.harmed : exitCode.nonConformant
  const foreign = servers.filter(({ kind }) => kind === 'url').flatMap(({ api }) => api.cases)
  const isGone = outcomes.some(({ check, stop }) => stop === 'unreachable' && foreign.some(({ id }) => id === check))
  if (isGone || harm?.unreachable) return isGone || isForeign ? exitCode.unreachable : exitCode.nonConformant
  return outcomes.some(({ status }) => status === 'error') ? exitCode.kitError : null
}
