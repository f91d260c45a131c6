import { paintFor } from '../../reports/paint.ts'
import type { RunSettings } from '../../suites/runner/context.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { runInWorker } from '../../suites/runner/run-in-worker.ts'
import type { Driver } from '../../suites/targets/driver.ts'
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

/** Runs the planned checks in a worker thread and shows the progress. */
export async function runChecks({
  settings,
  planned,
  driver,
  checkTimeoutMs,
  signal,
}: ChecksToRun): Promise<readonly Outcome[]> {
  const stream = process.stdout
  const progress = createProgress({ stream, paint: paintFor(stream), total: planned.length, titles })
  try {
    return await runInWorker({ settings, plan: planned, driver, checkTimeoutMs, signal, onOutcome: progress.show })
  } finally {
    progress.end()
  }
}
