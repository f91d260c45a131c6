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
import type { FleetFlags } from './command.ts'
import { type Install, readInstalls } from './installs.ts'
import { judgeInstall } from './judge-install.ts'
import { fleetText, installLine, removeFleet, rollUp, writeFleet } from './roll-up.ts'

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

  await removeFleet(flags.out)
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

/** One line: what a run may write to running servers and create there. Sends nothing. */
async function planLine({ name, options }: Install, out: string, signal: AbortSignal): Promise<string> {
  // Servers that the run itself starts are not written about, and must not get the keys of other installs from here.
  const target = options.target.kind === 'url' ? options.target : ({ kind: 'none' } as const)
  try {
    await using session = await openTarget(apis, { ...options, target, out: join(out, name) }, signal)
    const plan = session.plan(runCases(apis))
    const parts = session.apis.flatMap((api) => {
      const { usual = null, most = 0 } = api.estimateWrites?.(plan) ?? {}
      const writes =
        usual === null ? `at most ${plural(most, 'write')}` : `about ${plural(usual, 'write')}, at most ${most}`
      const created = api.createdByRun?.(plan)
      return [...(most > 0 ? [writes] : []), ...(created ? [`creates ${created}`] : [])]
    })
    const addresses = [options.target, options.platform].flatMap((one) => (one?.kind === 'url' ? one.url : []))
    return `  ${name}  ${addresses.join(' and ')}  risk ${options.risk}: ${parts.join('; ') || 'creates nothing'}`
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`${name}: the run cannot be planned. ${error.message}`, error.hint, { cause: error })
  }
}

/** What the runs would write to running servers, for the consent; null if nothing. Sends nothing to them. */
async function planText(installs: readonly Install[], out: string, signal: AbortSignal): Promise<string | null> {
  const writing = installs.filter(mayWrite)
  if (writing.length === 0) return null
  const lines: string[] = []
  for (const install of writing) lines.push(await planLine(install, out, signal))
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
