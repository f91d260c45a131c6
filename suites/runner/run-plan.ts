import { ConcurrentEdit, OtherRuleLost } from '../safety/culprits.ts'
import type { Case } from '../session/check.ts'
import { apiWith, type JudgedApi, judgedBy } from './define-api.ts'
import type { Outcome } from './outcome.ts'
import { notRun } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { note } from './state.ts'

/** Runs one planned check, or says why it is not run. */
export async function runPlanned(planned: PlannedCheck, apis: readonly JudgedApi[]): Promise<Outcome> {
  const { id, outOfScope, notApplicable } = planned
  if (outOfScope !== null) return notRun(id, notApplicable ? 'not-applicable' : 'out-of-scope', outOfScope)
  const { api, check } = apiWith(apis, id)
  try {
    if (check.fills !== true) await releaseAll(apis)
  } catch (error) {
    // The target may have changed or ended in between. The other checks are still judged and reported.
    const reason = error instanceof Error ? error.message : String(error)
    return notRun(id, 'error', api.context.redact(`cleaning up before the check failed: ${reason}`))
  }
  return api.judge(id)
}

/** Removes what one check leaves in place for the next. */
export async function releaseAll(apis: readonly JudgedApi[]): Promise<void> {
  for (const { context } of apis) {
    try {
      await context.release()
    } catch (error) {
      // The check of the requirement that the server broke says so.
      if (error instanceof OtherRuleLost) continue
      if (!(error instanceof ConcurrentEdit)) throw error
      note(context, { kind: 'stopped', stopped: { cause: 'interference', reason: error.message } })
    }
  }
}

/** Runs a whole plan against one server in this thread, one check after the other. */
export async function runPlan<Session>(
  plan: readonly PlannedCheck[],
  checks: readonly Case<Session>[],
  context: ServerUnderTest<Session>,
): Promise<readonly Outcome[]> {
  const apis = [judgedBy(checks, context)]
  const outcomes: Outcome[] = []
  for (const planned of plan) outcomes.push(await runPlanned(planned, apis))
  await releaseAll(apis)
  return outcomes
}
