import type { PlannedCheck } from '../../../suites/runner/plan.ts'
import { platformApi } from '../apis.ts'

/** The most accounts that the checks which are run may create. */
export function accountsToCreate(planned: readonly PlannedCheck[]): number {
  const run = new Set(planned.filter(({ outOfScope }) => outOfScope === null).map(({ id }) => id))
  const counts = platformApi.checks.filter(({ id }) => run.has(id)).flatMap(({ creates }) => creates ?? [])
  // The sample is created once, for whichever check comes first.
  return counts.reduce<number>((sum, count) => sum + (count === 'sample' ? 0 : count), counts.length > 0 ? 1 : 0)
}
