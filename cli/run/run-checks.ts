import { randomUUID } from 'node:crypto'
import { paintFor } from '../../reports/paint.ts'
import { pluginChecks, pluginObservations } from '../../suites/cases/all.ts'
import type { JudgeSettings } from '../../suites/engine/context.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import type { PlannedCheck } from '../../suites/engine/plan.ts'
import { offerDriver } from '../../suites/targets/remote.ts'
import type { OpenTarget } from './open-target.ts'
import { createProgress } from './progress.ts'

const titles = new Map([...pluginChecks, ...pluginObservations].map(({ id, title }) => [id, title]))

/** Far more than any check needs; it only ends what would never end. */
const checkTimeoutMs = 300_000

interface ChecksToRun {
  readonly settings: JudgeSettings
  readonly planned: readonly PlannedCheck[]
  readonly open: OpenTarget
  readonly signal: AbortSignal
  readonly recordingFile: string | null
}

/** Runs the planned checks in a thread of Vitest and shows how far they are. */
export async function runChecks({
  settings,
  planned,
  open,
  signal,
  recordingFile,
}: ChecksToRun): Promise<readonly Outcome[]> {
  // Vitest takes a while to load; everything that can go wrong before it must not wait for it.
  const { runSuite } = await import('../../suites/engine/run-suite.ts')
  const driverChannel = open.driver && `copytrade-tck-${randomUUID()}`
  const offered = open.driver && driverChannel ? offerDriver(open.driver, driverChannel) : null
  const stream = process.stdout
  const progress = createProgress({ stream, paint: paintFor(stream), total: planned.length, titles })
  try {
    const setup = { settings, plan: planned, driverChannel, recordingFile }
    return await runSuite({ setup, checkTimeoutMs, signal, onOutcome: progress.show })
  } finally {
    progress.end()
    offered?.close()
  }
}
