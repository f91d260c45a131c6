import type { Outcome } from '../../suites/engine/outcome.ts'
import type { PlannedCheck } from '../../suites/engine/plan.ts'
import type { RunOptions } from './options.ts'
import { beginRecording } from './recording.ts'
import { runChecks } from './run-checks.ts'
import { planAll, prepare, type Undertaking } from './undertaking.ts'
import { type Visited, visit } from './visit.ts'

/** The checks that were planned, and what became of those that ran. */
export interface CarriedOut {
  readonly planned: readonly PlannedCheck[]
  readonly outcomes: readonly Outcome[]
}

/**
 * Plans checks and runs them against a target, with everything that keeps it safe. Null for
 * `--plan`, which only prints.
 *
 * @throws {UsageError} when no check is left
 */
export async function carryOut(undertaking: Undertaking): Promise<Visited<CarriedOut> | null> {
  const { cases, signal } = undertaking
  const visited = await visit({
    ...prepare(undertaking),
    async work({ options, open, found, settings, driver, startedAt }) {
      const planned = planAll(cases, options, open)
      const recording = beginRecording({ options, settings, found, startedAt })
      const run = { settings, planned, driver, signal, recordingFile: options.record, ...limits(options) }
      return { carriedOut: { planned, outcomes: await runChecks(run) }, recording }
    },
  })
  if (visited === null) return null
  const { carriedOut, recording } = visited.result
  // What became of the list is known only after the visit; where that fails, the recording has no end.
  recording.end(visited.harm)
  return { ...visited, result: carriedOut }
}

/** A person may take all day for a step; a hook has a limit of its own. */
function limits({ lifeCycle }: RunOptions): { readonly checkTimeoutMs: number } {
  return { checkTimeoutMs: lifeCycle === null ? 300_000 : lifeCycle.manual ? 86_400_000 : 3_600_000 }
}
