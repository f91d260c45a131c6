import { join } from 'node:path'
import { Semaphore } from 'async-mutex'
import { plural } from '../../reports/phrases.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { requireFolder } from '../files.ts'
import { exitCodeAfter } from '../interruption.ts'
import type { RunOptions } from '../options/run-options.ts'
import { apis } from '../target/apis.ts'
import { announceAndAsk } from '../target/notice.ts'
import { openTarget, runCases } from '../target/session.ts'
import { type PlanDocument, planDocument } from '../target/show-plan.ts'
import type { FleetFlags } from './command.ts'
import { type Install, readInstalls } from './installs.ts'
import { judgeInstall } from './judge-install.ts'
import { fleetText, installLine, rollUp, writeFleet } from './roll-up.ts'

/** Judges every install in a file of targets, writes the roll-up and returns the exit code. */
export async function judgeFleet(path: string, flags: FleetFlags, signal: AbortSignal): Promise<number> {
  const startedAt = new Date()
  const startedMs = performance.now()
  const { installs, shard } = await readInstalls(path, flags.shard ?? null)
  await requireFolder(flags.out, '`--out`')
  const plan = await planText(installs, flags.out, signal)
  process.stdout.write(`${plural(installs.length, 'install')}, ${flags.concurrency} at the same time.\n`)
  if (flags.plan) {
    process.stdout.write(plan ?? 'No server that runs already is written to.\n')
    return exitCode.conformant
  }
  if (plan !== null) await announceAndAsk(plan, { options: { ...flags, reporter: 'line' }, signal })

  const judged = await judgeAll(installs, flags, signal)
  const fleet = rollUp(judged, { startedAt, durationMs: Math.round(performance.now() - startedMs), shard })
  const page = await writeFleet(fleet, flags.out)
  process.stdout.write(`${fleetText(fleet)}Roll-up: ${page}\n`)
  return exitCodeAfter(signal, fleet.exitCode)
}

function judgeAll(installs: readonly Install[], { concurrency, out }: FleetFlags, signal: AbortSignal) {
  let done = 0
  const judge = async (install: Install) => {
    const { install: judged } = await judgeInstall(install, out, signal)
    done += 1
    process.stdout.write(`${installLine(judged, `${done}/${installs.length}`)}\n`)
    return judged
  }
  const places = new Semaphore(concurrency)
  return Promise.all(installs.map((install) => places.runExclusive(() => judge(install))))
}

function mayWrite({ options }: Install): boolean {
  const { target, risk, platform, platformRisk } = options
  return (target.kind === 'url' && risk !== 'read') || (platform?.kind === 'url' && platformRisk !== 'read')
}

/** What a dry run depends on: not on the server. */
function scopeOf({ config }: Install): string {
  const { target, platformUrl, profile, baseline, apiKeyFile, ca, parameters, ...scope } = config
  const given = { target, platformUrl, parameters }
  return JSON.stringify([
    Object.entries(scope).map(([key, value]) => (key.startsWith('hook') ? key : [key, value])),
    Object.values(given).map((value) => value !== undefined),
  ])
}

async function planOf({ name, options }: Install, out: string, signal: AbortSignal): Promise<PlanDocument> {
  // Servers that the run itself starts are not written about, and must not get the keys of other installs from here.
  const target = options.target.kind === 'url' ? options.target : ({ kind: 'none' } as const)
  try {
    await using session = await openTarget(apis, { ...options, target, out: join(out, name) }, signal)
    return await planDocument(session, session.plan(runCases(apis)))
  } catch (error) {
    if (signal.aborted) throw new UsageError('The fleet was interrupted. Nothing was sent.', 'Run the command again.')
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${name}: the run cannot be planned. ${error.message}`, error.hint, { cause: error })
  }
}

/** What the runs would write to running servers, for the consent; null if nothing. Sends nothing to them. */
async function planText(installs: readonly Install[], out: string, signal: AbortSignal): Promise<string | null> {
  const writing = installs.filter(mayWrite)
  if (writing.length === 0) return null
  // Installs with the same scope share a dry run.
  const plans = new Map<string, PlanDocument>()
  const lines: string[] = []
  for (const install of writing) {
    const { name, options } = install
    const scope = scopeOf(install)
    const plan = plans.get(scope) ?? (await planOf(install, out, signal))
    plans.set(scope, plan)
    const created = plan.creates.map((what) => `; creates ${what}`).join('')
    const addresses = [options.target, options.platform].flatMap((one) => (one?.kind === 'url' ? one.url : []))
    lines.push(
      `  ${name}  ${addresses.join(' and ')}  risk ${options.risk}: ${plural(plan.writes, 'write')} in a dry run, at most ${plan.mostWrites}${created}`,
    )
  }
  const some = (test: (options: RunOptions) => boolean) => writing.some(({ options }) => test(options))
  return [
    'These servers are written to, and the rules of the kit are removed again:',
    ...lines,
    ...(some(({ risk }) => risk === 'exclusive') ? [exclusiveLine] : []),
    ...(some(({ lifeCycle }) => lifeCycle !== null) ? [hooksLine] : []),
    '',
  ].join('\n')
}

const exclusiveLine =
  '`exclusive` fills the list; meanwhile other clients cannot add rules. It may send malformed HTTP and very large requests. They can stop a faulty server, or make it remove existing rules.'
const hooksLine =
  'Servers with hooks are restarted. Their rules may be removed during the run, and are restored after it.'
