import { formatEstimate, plural } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import { readProfile } from '../../simulator/index.ts'
import { CannotArrange, FailedExpectation } from '../../suites/assertions/failure.ts'
import { NoResponse } from '../../suites/client/response.ts'
import type { PluginContext } from '../../suites/runner/plugin/context.ts'
import { createPluginContext } from '../../suites/runner/plugin/create-context.ts'
import { ConcurrentEdit, ServerFault } from '../../suites/safety/list-change-errors.ts'
import { differences } from '../../suites/safety/list-state.ts'
import type { ComparedServer } from '../../suites/twin/server-pair.ts'
import { stepsFor } from '../../suites/twin/steps.ts'
import { UnreachableError, UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { exitCodeAfter } from '../interruption.ts'
import { lifeCycleFlags } from '../options/run-definitions.ts'
import { type RunOptions, resolveRunOptions } from '../options/run-options.ts'
import type { WriteEstimate } from '../target/api.ts'
import { type OpenPlugin, pluginApi } from '../target/plugin/api.ts'
import { codeOfTarget, listChangesText, openTarget, type ReadySession } from '../target/session.ts'
import { readUrl } from '../transport/resolve.ts'
import type { ParityFlags } from './command.ts'
import { type ComparisonOptions, compareAll, comparedServer, scopeOf, startTwin } from './compare-servers.ts'
import { renderParity } from './render.ts'

/** Compares a server with its twin and returns the exit code. */
export async function parity(flags: ParityFlags, signal: AbortSignal): Promise<number> {
  const options = resolveParityOptions(flags)
  const { target: targetOptions, profile, twinName, writes, runs, maxRequests, ignore } = options
  const openedAt = performance.now()
  await using target = await openTarget([pluginApi], targetOptions, signal)
  if (targetOptions.plan !== null) {
    const hasForeignRules = targetOptions.target.kind === 'url'
    process.stdout.write(planText(options, stepsOf(options, targetOptions.capacity, hasForeignRules)))
    return exitCode.conformant
  }
  await target.inspect()
  const startMs = performance.now() - openedAt
  const { url, kind, risk, list, target: server } = target.main
  const before = list?.rules ?? []
  process.stdout.write(`Comparing ${url} with ${twinName} (risk ${risk}, seed ${targetOptions.seed})\n`)
  const session = await target.consent([], writes)
  const steps = stepsOf(options, server.capacity, kind === 'url' && before.length > 0)
  process.stdout.write(effortText(steps.length + runs, kind === 'url' ? null : startMs))
  const capacity = profile?.capacity ?? server.capacity
  const scope = scopeOf(profile, ignore)
  const comparison = { target: serverOf(session), scope, before, steps, capacity, runs, maxRequests, signal }
  const { result, harm } = await session.verifyAfter(() => compareWithTwin(session, comparison, options))
  process.stdout.write(listChangesText(harm))
  return exitCodeAfter(signal, codeOfTarget([session.main], harm) ?? result)
}

type ParityOptions = ReturnType<typeof resolveParityOptions>

/** Resolves the flags, and reads the profile. @throws {UsageError} or {InvalidProfileError} */
function resolveParityOptions(flags: ParityFlags) {
  const { against, profile: file, ignore, runs, maxRequests, continue: all } = flags
  if (against !== undefined && file !== undefined) {
    throw new UsageError(
      '`--against` and `--profile` exclude each other.',
      'Give `--profile` to compare with the simulator, or `--against` to compare with a running server.',
    )
  }
  // The other server is a running one, so it is only read unless more is allowed.
  const target = runOptionsOf(against === undefined ? flags : { risk: 'read', ...flags }, against)
  const other = against === undefined ? null : otherServer(flags, target, against)
  const simulator = file === undefined ? 'the simulator' : `profile ${file}`
  // The clean-up and the checks that diagnose a difference write too.
  const writes: WriteEstimate = { usual: null, most: 2 * maxRequests }
  return {
    ...{ target, other, writes, ignore, runs, maxRequests, all },
    profile: file === undefined ? null : readProfile(file).options,
    twinName: other?.target.kind === 'url' ? other.target.url : simulator,
  }
}

function runOptionsOf(flags: ParityFlags, beside: string | undefined): RunOptions {
  const { profile: _, ...rest } = flags
  return resolveRunOptions({ ...rest, jobs: 1 }, process.env, beside)
}

/** Options that are only about the target. Its hooks would restart it, and not the server at `--against`. */
const ofTarget: readonly string[] = ['exec', 'container', 'apiKeyFile', ...Object.keys(lifeCycleFlags)]

/** The other server gets the same risk, logins and ledger as the target. */
function otherServer(flags: ParityFlags, { target, risk, seed }: RunOptions, against: string): RunOptions {
  const rest = Object.fromEntries(Object.entries(flags).filter(([name]) => !ofTarget.includes(name))) as ParityFlags
  const apiKey = flags.againstApiKey ?? (target.kind === 'none' ? null : target.key)
  if (apiKey === null) {
    throw new UsageError(
      '`--against` requires an API key.',
      'Give `--against-api-key <key>`, or set `TCK_AGAINST_API_KEY`.',
    )
  }
  const url = readUrl(against, '--against')
  if (target.kind === 'url' && target.url === url) {
    throw new UsageError(
      '`--target` and `--against` are the same server.',
      'Give another server, or compare with the simulator, without `--against`.',
    )
  }
  const options = runOptionsOf({ ...rest, apiKey, target: url, risk, seed }, flags.target)
  if (options.target.kind !== 'url') return options
  return { ...options, target: { ...options.target, keySource: '--against-api-key' } }
}

function stepsOf(options: ParityOptions, capacity: number | null, hasForeignRules: boolean) {
  const { target, profile, maxRequests } = options
  const { risk, maxFill } = target
  const known = profile?.capacity ?? capacity
  return stepsFor({ risk, withoutForeignRules: !hasForeignRules, capacity: known, maxFill, maxRequests })
}

/** The effort of a comparison without differences. The kit restarts its own servers whenever their list has changed. */
function effortText(sequences: number, startMs: number | null): string {
  const sent = `It sends ${plural(sequences, 'sequence')} to each server`
  if (startMs === null) return `${sent}, and does not restart the target.\n`
  const duration = formatEstimate(sequences * startMs)
  return `${sent}, and restarts the target up to ${plural(sequences, 'time')}, which takes up to ${duration}.\n`
}

function planText({ target, maxRequests, writes }: ParityOptions, steps: ReturnType<typeof stepsOf>): string {
  const { most: mostWrites } = writes
  if (target.plan === 'json') {
    const named = steps.map(({ id, risk }) => ({ id, risk }))
    return `${JSON.stringify({ steps: named, mostRequests: maxRequests, mostWrites }, null, 2)}\n`
  }
  return [
    'Random sequences of these steps, each sent to both servers:',
    ...steps.map(({ id, risk }) => `  ${id} (${risk})`),
    `At most ${maxRequests} requests to each server, and ${mostWrites} writes including diagnosis and clean-up.`,
    'Nothing was sent to the target.',
    '',
  ].join('\n')
}

type Comparison = Omit<ComparisonOptions, 'twin'>

/** The simulator starts with the list of the target. Another server gets its own session. */
async function compareWithTwin(session: ReadySession<OpenPlugin>, comparison: Comparison, options: ParityOptions) {
  const { profile, writes } = options
  const { before, capacity } = comparison
  if (options.other === null) {
    const { settings } = session.main
    const plugin = await identityOf(session, comparison.target.context)
    await using open = await startTwin({ settings, profile, plugin, rules: before, capacity })
    return await compareBoth(comparison, open, options)
  }
  await using other = await openTarget([pluginApi], options.other, session.signal)
  await other.inspect()
  const otherPlugin = other.main
  process.stdout.write(`The other server is ${otherPlugin.url}.\n`)
  const redact = (text: string) => other.shared.redact(session.shared.redact(text))
  rejectDifferentLists(before, otherPlugin, redact)
  const otherSession = await other.consent([], writes)
  const { result, harm } = await otherSession.verifyAfter(() =>
    compareBoth(comparison, serverOf(otherSession), options),
  )
  process.stdout.write(`The other server: ${listChangesText(harm)}`)
  return codeOfTarget([otherPlugin], harm) ?? result
}

function serverOf(session: ReadySession<OpenPlugin>): ComparedServer {
  return comparedServer(createPluginContext(session.main.settings, session.driver, session.shared))
}

function rejectDifferentLists(
  before: Parameters<typeof differences>[0],
  { list, url }: OpenPlugin,
  redact: (text: string) => string,
) {
  const [first] = differences(before, list?.rules ?? [])
  if (first === undefined) return
  throw new UsageError(
    `The servers have different rules, so every list would differ: ${visibleLine(redact(first))}.`,
    `Nothing was written. First give ${url} the rules of the target.`,
  )
}

/** Name, version and licence of the target. A simulator without a profile reports them. */
async function identityOf(session: ReadySession<OpenPlugin>, context: PluginContext) {
  const status = await context.main.plugin.status()
  const { license_active: licenseActive } = (status.json ?? {}) as { license_active?: unknown }
  return { ...session.main.identity, ...(typeof licenseActive === 'boolean' ? { licenseActive } : {}) }
}

/** Returns the exit code of the comparison, regardless of how the servers were left. */
async function compareBoth(comparison: Comparison, twin: ComparedServer, options: ParityOptions): Promise<number> {
  const { context } = comparison.target
  const redact = (text: string) => twin.context.redact(context.redact(text))
  try {
    const all = await compareAll({ ...comparison, twin }, options.all)
    for (const [at, compared] of all.entries()) {
      const shown = { compared, seed: context.settings.seed, twin: options.twinName, redact, further: at > 0 }
      process.stdout.write(renderParity(shown))
    }
    if (all.some(({ divergence }) => divergence !== null)) return exitCode.nonConformant
    return all.some(({ cutShort }) => cutShort) ? exitCode.incomplete : exitCode.conformant
  } catch (error) {
    if (error instanceof NoResponse) {
      const remedy = 'Check its log: the previous request may have stopped it.'
      const reason = visibleLine(redact(error.message))
      throw new UnreachableError(`A server stopped responding: ${reason}.`, remedy, { cause: error })
    }
    const reason = stopReason(error)
    if (reason === null) throw error
    process.stdout.write(`Stopped: ${visibleLine(redact(reason))}\n`)
    return error instanceof ServerFault ? exitCode.nonConformant : exitCode.incomplete
  }
}

/** Why the servers cannot be compared any further; null for an error of the kit. */
function stopReason(error: unknown): string | null {
  if (error instanceof FailedExpectation) {
    const { exchange, message } = error
    return exchange === null ? message : `${exchange.request.method} ${exchange.request.url}: ${message}`
  }
  const isKnown = [ConcurrentEdit, ServerFault, CannotArrange].some((kind) => error instanceof kind)
  return isKnown ? (error as Error).message : null
}
