import { spawn } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Semaphore } from 'async-mutex'
import type { Report } from '../../reports/report.ts'
import { visibleJson, visibleLine } from '../../reports/visible.ts'
import { shellFailure, signalGroup } from '../../suites/targets/shell.ts'
import { UsageError } from '../command-error.ts'
import { type Change, changesBetween } from '../compare/changes.ts'
import { exitCode } from '../exit-code.ts'
import { requireFolder } from '../files.ts'
import { type FleetInstall, readFleet } from '../fleet-document.ts'
import { exitCodeAfter } from '../interruption.ts'
import { readReport } from '../report/read-report.ts'
import type { Environment } from '../transport/proxy.ts'
import type { FleetFlags } from './command.ts'
import { type Install, readInstalls } from './installs.ts'
import { judgeInstall } from './judge-install.ts'
import { serveMetrics } from './metrics.ts'
import { fleetText, rollUp, verdictOf, worstOf, writeFleet } from './roll-up.ts'

/**
 * Judges every install repeatedly until the signal. Prints each change since the last round as a line of JSON. Returns
 * the worst exit code of the last runs. @throws {UsageError} unless all installs are read-only
 */
export async function monitorFleet(
  path: string,
  flags: Omit<FleetFlags, 'every'> & { readonly everyMs: number },
  signal: AbortSignal,
): Promise<number> {
  const { everyMs, concurrency, out, onChange } = flags
  const { installs, env, shard } = await readInstalls(path, flags.shard ?? null)
  requireReadOnly(installs)
  await requireFolder(out, '`--out`')
  await using metrics = flags.metrics === undefined ? null : await serveMetrics(flags.metrics)
  const last = lastRound(out)
  const places = new Semaphore(concurrency)

  const judge = async (install: Install) => {
    if (signal.aborted) return
    const { install: judged, report, changes } = await judgeAgain(install, out)
    metrics?.record(judged, report)
    for (const line of changeLines(judged, last.get(install.name) ?? null, changes)) {
      process.stdout.write(`${line}\n`)
      if (onChange !== undefined) await runOnChange(onChange, line, env)
    }
    last.set(install.name, judged)
  }
  while (!signal.aborted) {
    const startedAt = new Date()
    const startedMs = performance.now()
    await Promise.all(installs.map((install) => places.runExclusive(() => judge(install))))
    // After a signal, installs that no round has reached are not judged.
    const resultOf = async (install: Install) =>
      last.get(install.name) ?? (await judgeInstall(install, out, signal)).install
    const judged = await Promise.all(installs.map(resultOf))
    const fleet = rollUp(judged, { startedAt, durationMs: Math.round(performance.now() - startedMs), shard })
    await writeFleet(fleet, out)
    process.stderr.write(fleetText(fleet))
    const untilDueMs = Math.max(0, startedMs + everyMs - performance.now())
    await setTimeout(untilDueMs, null, { signal }).catch(() => null)
  }
  return exitCodeAfter(signal, worstOf(installs.map(({ name }) => last.get(name)?.exitCode ?? exitCode.incomplete)))
}

/** The results of the last round of an earlier process, by install. */
function lastRound(out: string): Map<string, FleetInstall> {
  const path = join(out, 'fleet.json')
  const { installs } = existsSync(path) ? readFleet(path) : { installs: [] }
  return new Map(installs.filter(({ startedAt }) => startedAt !== null).map((install) => [install.name, install]))
}

/** @throws {UsageError} for an install that is written to or restarted by hooks */
function requireReadOnly(installs: readonly Install[]): void {
  const changed = installs.filter(
    ({ options: { risk, platform, platformRisk, lifeCycle } }) =>
      risk !== 'read' || (platform !== null && platformRisk !== 'read') || lifeCycle !== null,
  )
  if (changed.length === 0) return
  throw new UsageError(
    `\`--every\` only reads, and these entries allow more: ${changed.map(({ name }) => name).join(', ')}.`,
    'Set `risk: read`, and remove the hooks. Nothing was sent.',
  )
}

/** A run that has begun is not interrupted, since the checks that it missed would look like changes. */
const never = new AbortController().signal

/** Judges an install and compares its report with the last one, which stays until a newer one is written. */
async function judgeAgain(install: Install, out: string) {
  const path = join(out, install.name, 'report.json')
  const previous = join(out, install.name, 'previous.json')
  if (existsSync(path)) renameSync(path, previous)
  const judged = await judgeInstall(install, out, never)
  const { report } = judged
  const changes = report === null || !existsSync(previous) ? [] : changesSince(previous, report, install.name)
  return { ...judged, changes }
}

/** The changes since the previous report; none if it is invalid, since another version may have written it. */
export function changesSince(previous: string, report: Report, name: string): readonly Change[] {
  try {
    return changesBetween(readReport(previous), report)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${name} is not compared with its previous run: ${visibleLine(error.message)}\n`)
    return []
  }
}

/** One line of JSON for each change, starting with the verdict or else the exit code. `last` is null at the first look. */
export function changeLines(install: FleetInstall, last: FleetInstall | null, changes: readonly Change[]) {
  const { name, target, exitCode, explanation: about, startedAt: time } = install
  const result = [
    { kind: 'verdict', subject: 'verdict', about, before: last && verdictOf(last), after: verdictOf(install) },
    { kind: 'exit-code', subject: 'exit code', about, before: last && `${last.exitCode}`, after: `${exitCode}` },
  ].filter(({ before, after }) => before !== after)
  return [...result.slice(0, 1), ...changes].map((change) =>
    visibleJson({ time, install: name, target, exitCode, ...change }, 0),
  )
}

/** Runs the command of `--on-change` with the line on its stdin. A failure does not end the monitoring. */
export async function runOnChange(command: string, line: string, env: Environment, limitMs = 60_000): Promise<void> {
  const failure = await run(command, line, env, limitMs).catch((error: Error) => `failed: ${error.message}`)
  if (failure !== null) process.stderr.write(`\`--on-change\` ${failure}.\n`)
}

async function run(command: string, line: string, env: Environment, limitMs: number): Promise<string | null> {
  const child = spawn(command, { shell: true, detached: true, env, stdio: ['pipe', 2, 2] })
  // The command may exit without reading the line.
  child.stdin?.on('error', () => {}).end(`${line}\n`)
  const stop = () => signalGroup(child, 'SIGKILL')
  process.on('exit', stop)
  try {
    return await shellFailure(child, limitMs)
  } finally {
    process.off('exit', stop)
  }
}
