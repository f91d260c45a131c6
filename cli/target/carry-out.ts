import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import type { RunOptions } from '../options/run-options.ts'
import { planAll, prepare, type Undertaking } from './plan.ts'
import { runChecks } from './run-checks.ts'
import { type Visited, visit } from './session.ts'

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
  return visit({
    ...prepare(undertaking),
    async work({ options, open, settings, driver }) {
      const planned = planAll(cases, options, open)
      return { planned, outcomes: await runChecks({ settings, planned, driver, signal, ...limits(options) }) }
    },
  })
}

/** A person may take all day for a step; a hook has a limit of its own. */
function limits({ lifeCycle, thorough }: RunOptions): { readonly checkTimeoutMs: number } {
  const onceMs = lifeCycle === null ? 300_000 : lifeCycle.manual ? 86_400_000 : 3_600_000
  return { checkTimeoutMs: onceMs * thorough }
}
