import { plural } from '../../reports/phrases.ts'
import { exitCode } from '../exit-code.ts'
import type { FleetInstall, Shard } from '../fleet-document.ts'
import { exitCodeAfter } from '../interruption.ts'
import { requireFolder } from '../make-folder.ts'
import { announceAndAsk } from '../target/ask-consent.ts'
import { nameEntries } from './entries.ts'
import { type Install, resolveInstalls } from './installs.ts'
import { judgeInstall } from './judge-install.ts'
import { planFleet, planText } from './plan.ts'
import { readTargets } from './read-targets.ts'
import { fleetText, installLine } from './render-text.ts'
import { addRequirements, type Requirements, rollUp, writeFleet } from './roll-up.ts'
import { inParallel } from './runs.ts'

/** What the command line of `fleet` holds. */
export interface FleetFlags {
  readonly concurrency: number
  readonly shard?: Shard
  readonly out: string
  readonly plan: boolean
  readonly yes: boolean
}

/** Judges every install of a file of targets, writes the roll-up and returns the exit code. */
export async function judgeFleet(path: string, flags: FleetFlags, signal: AbortSignal): Promise<number> {
  const startedAt = new Date()
  const shard = flags.shard ?? null
  const installs = await resolveInstalls(nameEntries(path, readTargets(path)), shard)
  await requireFolder(flags.out, '--out')
  const plan = planText(await planFleet(installs, { ...flags, signal }))
  process.stdout.write(`${plural(installs.length, 'install')}, ${flags.concurrency} at the same time.\n`)
  if (flags.plan) {
    process.stdout.write(plan ?? 'No server that runs already is written to.\n')
    return exitCode.conformant
  }
  if (plan !== null) await announceAndAsk(plan, { options: { ...flags, reporter: 'line' }, signal })

  const requirements: Requirements = new Map()
  const judged = await judgeAll(installs, requirements, flags, signal)
  const fleet = rollUp(judged, { startedAt, shard, requirements })
  const page = await writeFleet(fleet, flags.out)
  process.stdout.write(`${fleetText(fleet)}Roll-up: ${page}\n`)
  return exitCodeAfter(signal, fleet.exitCode)
}

function judgeAll(
  installs: readonly Install[],
  requirements: Requirements,
  { concurrency, out }: FleetFlags,
  signal: AbortSignal,
): Promise<readonly FleetInstall[]> {
  let done = 0
  return inParallel(installs, concurrency, async (install) => {
    const { install: judged, report } = await judgeInstall(install, out, signal)
    addRequirements(requirements, report)
    done += 1
    process.stdout.write(`${installLine(judged, `${done}/${installs.length}`)}\n`)
    return judged
  })
}
