import { randomUUID } from 'node:crypto'
import { paintFor } from '../../reports/paint.ts'
import type { RunSettings } from '../../suites/runner/context.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import type { Driver } from '../../suites/targets/driver.ts'
import { offerDriver } from '../../suites/targets/remote.ts'
import { titles } from './apis.ts'
import { createProgress } from './progress.ts'

interface ChecksToRun {
  readonly settings: RunSettings
  readonly planned: readonly PlannedCheck[]
  /** Null where the kit drives no server. */
  readonly driver: Driver | null
  /** Far more than any check needs; it only ends what would never end. */
  readonly checkTimeoutMs: number
  readonly signal: AbortSignal
}

/** Runs the planned checks in a thread of Vitest and shows how far they are. */
export async function runChecks({
  settings,
  planned,
  driver,
  checkTimeoutMs,
  signal,
}: ChecksToRun): Promise<readonly Outcome[]> {
  // Vitest takes a while to load; everything that can go wrong before it must not wait for it.
  const { runSuite } = await import('../../suites/runner/run-suite.ts')
  const driverChannel = driver && `copytrade-tck-${randomUUID()}`
  const offered = driver && driverChannel ? offerDriver(driver, driverChannel) : null
  const stream = process.stdout
  const progress = createProgress({ stream, paint: paintFor(stream), total: planned.length, titles })
  try {
    const setup = { settings, plan: planned, driverChannel }
    return await runSuite({ setup, checkTimeoutMs, signal, onOutcome: progress.show })
  } finally {
    progress.end()
    offered?.close()
  }
}
