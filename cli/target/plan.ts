import { type PlannedCheck, plan } from '../../suites/runner/plan.ts'
import { apiOf, type Case } from '../../suites/session/check.ts'
import { UsageError } from '../command-error.ts'
import type { RunOptions } from '../options/run-options.ts'
import { judgedApis } from './apis.ts'
import type { TargetSession } from './session.ts'

/** What is done to each server, one API after the other: each has a risk of its own. */
export function planChecks({ apis }: Pick<TargetSession, 'apis'>, cases: readonly Case[]): readonly PlannedCheck[] {
  return apis.flatMap((api) => api.plan(cases))
}

/**
 * Fails before anything is opened where the options leave nothing to run.
 *
 * @throws {UsageError}
 */
export function requireChecks(options: RunOptions, cases: readonly Case[]): void {
  const { risk, only, skip } = options
  const judged = judgedApis(options).map(({ name }) => name)
  const checks = cases.filter((check) => judged.includes(apiOf(check)))
  if (plan({ checks, risk, capabilities: [], only, skip }).length > 0) return
  throw new UsageError(
    'No check is selected by `--only` and `--skip`.',
    'Match ids of checks, requirements or questions, like `--only "plugin.delete.*"`.',
  )
}
