import type { Api } from '../../suites/runner/define-api.ts'
import { type PlannedCheck, plan } from '../../suites/runner/plan.ts'
import type { Case } from '../../suites/session/check.ts'
import { UsageError } from '../command-error.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { ApiUnderTest } from './api.ts'
import type { TargetSession } from './session.ts'

/** All checks and observations of a run. */
export function runCases(apis: readonly Pick<Api, 'checks' | 'observations'>[]) {
  return apis.flatMap(({ checks, observations }) => [...checks, ...observations])
}

/** Plans one API after the other, since each has its own risk. */
export function planChecks({ apis }: Pick<TargetSession, 'apis'>, cases: readonly Case[]): readonly PlannedCheck[] {
  return apis.flatMap((open) => open.plan(cases.filter((check) => open.api.cases.includes(check))))
}

/** Fails before anything is opened if the options select no check. @throws {UsageError} */
export function requireChecks(
  options: RunOptions,
  apis: readonly ApiUnderTest[],
  cases: readonly Case[] = runCases(apis),
): void {
  const { risk, only, skip } = options
  const judged = apis.filter((api) => api.choose(options) !== null).flatMap((api) => api.cases)
  const checks = cases.filter((check) => judged.includes(check))
  if (plan({ checks, risk, capabilities: [], only, skip }).length > 0) return
  throw new UsageError(
    'No check is selected by `--only` and `--skip`.',
    'Match ids of checks, requirements or questions, like `--only "plugin.delete.*"`.',
  )
}
