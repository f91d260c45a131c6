import { listChangesLine } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import { ConcurrentEdit } from '../../suites/safety/concurrent-edit.ts'
import { OtherRuleLost } from '../../suites/safety/other-rule-lost.ts'
import { UsageError } from '../command-error.ts'
import { exitCode } from '../exit-code.ts'
import { exitCodeAfter } from '../interruption.ts'
import { defaultRunFlags } from '../options/run-definitions.ts'
import { forPluginAlone, type RunFlags, type RunOptions } from '../options/run-options.ts'
import type { WriteEstimate } from '../target/api.ts'
import { codeOfTarget } from '../target/exit.ts'
import { consent, describe, inspect, openTarget, requirePlugin, verifyAfter } from '../target/session.ts'
import { type Measured, measure } from './measure.ts'
import { isFast, loadText, type Row, rowsOf } from './render.ts'

/** What the command line of `load` holds. */
export interface LoadFlags extends RunFlags {
  readonly rate: number
  /** In milliseconds. */
  readonly duration: number
  /** Rules per second. */
  readonly writes: number
  readonly maxP99?: number
  readonly export?: 'k6'
}

/** Sends load to a server, prints the response times and returns the exit code. */
export async function load(flags: LoadFlags, signal: AbortSignal): Promise<number> {
  const { rate, duration, maxP99 = null } = flags
  const options = forPluginAlone({ ...defaultRunFlags(), ...flags })
  requireWrite(options)
  await using target = await openTarget(options, signal)
  await inspect(target)
  const { kind, risk } = requirePlugin(target)
  const writes = risk === 'read' ? 0 : flags.writes
  process.stdout.write(`${rate} reads and ${writes} rules per second for ${duration / 1_000} s: ${describe(target)}\n`)
  const session = await consent(target, [], estimateOf(flags))
  const { plugin } = session.context
  if (plugin === null) throw new Error('load measures a plugin')
  const { result, harm } = await verifyAfter(session, () =>
    measure(plugin, { rate, durationMs: duration, writes, signal }),
  )
  const rows = rowsOf(result.samples)
  process.stdout.write(loadText(rows, maxP99))
  if (result.stopped !== null) process.stdout.write(`Stopped: ${visibleLine(plugin.redact(reasonOf(result)))}\n`)
  process.stdout.write(`${[listChangesLine(harm), ...(harm?.differences ?? [])].map(visibleLine).join('\n')}\n`)
  return exitCodeAfter(signal, codeOfTarget({ kind, harm, outcomes: [] }) ?? codeOf(rows, result, { maxP99, signal }))
}

/** @throws {UsageError} for a server that the kit did not start, unless the user allows writes */
function requireWrite({ target, risk }: RunOptions): void {
  if (target.kind !== 'url' || risk === 'write') return
  throw new UsageError(
    '`load` requires `--risk write`: it adds rules of the kit, and can slow the server for others.',
    'Add `--risk write`. Nothing was sent.',
  )
}

/** Each rule is added and removed; the guard may repeat both, and the clean-up removes what is left. */
function estimateOf({ writes, duration }: LoadFlags): WriteEstimate {
  const rules = Math.ceil((writes * duration) / 1_000)
  return { usual: null, most: 4 * rules + 20 }
}

function reasonOf({ stopped }: Measured): string {
  return stopped instanceof Error ? stopped.message : String(stopped)
}

function codeOf(
  rows: readonly Row[],
  { stopped }: Measured,
  { maxP99, signal }: { readonly maxP99: number | null; readonly signal: AbortSignal },
): number {
  if (stopped instanceof OtherRuleLost) return exitCode.nonConformant
  if (stopped !== null && !(stopped instanceof ConcurrentEdit)) throw stopped
  if (rows.some((row) => row.failures.size > 0 || isFast(row, maxP99) === false)) return exitCode.nonConformant
  const isWhole = stopped === null && !signal.aborted && rows.every((row) => isFast(row, maxP99))
  return isWhole ? exitCode.conformant : exitCode.incomplete
}
