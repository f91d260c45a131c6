import { ConcurrentEdit, OtherRuleLost } from '../safety/culprits.ts'
import { apiOf, type Case } from '../session/check.ts'
import type { ApisUnderTest } from './context.ts'
import { judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import { notRun } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import { note } from './state.ts'

/** Runs one planned check, or says why it is not run. */
export async function runPlanned(planned: PlannedCheck, check: Case, apis: ApisUnderTest): Promise<Outcome> {
  const { outOfScope, notApplicable } = planned
  if (outOfScope !== null) return notRun(planned.id, notApplicable ? 'not-applicable' : 'out-of-scope', outOfScope)
  const api = apis[apiOf(check)]
  if (!api) throw new Error(`${check.id} is about an API that is not judged`)
  try {
    if (check.fills !== true) await releaseAll(apis)
  } catch (error) {
    // The target may have changed or ended in between. The other checks are still judged and reported.
    const reason = error instanceof Error ? error.message : String(error)
    return notRun(planned.id, 'error', api.redact(`cleaning up before the check failed: ${reason}`))
  }
  return judge(check, api)
}

/** Removes what one check leaves in place for the next. */
export async function releaseAll(apis: ApisUnderTest): Promise<void> {
  for (const api of Object.values(apis)) {
    try {
      await api?.release()
    } catch (error) {
      // The check of the requirement that the server broke says so.
      if (error instanceof OtherRuleLost) continue
      if (!api || !(error instanceof ConcurrentEdit)) throw error
      note(api, { kind: 'stopped', stopped: { cause: 'interference', reason: error.message } })
    }
  }
}

/** Runs a whole plan in this thread, one check after the other. */
export async function runPlan(
  plan: readonly PlannedCheck[],
  checks: readonly Case[],
  apis: ApisUnderTest,
): Promise<readonly Outcome[]> {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const outcomes: Outcome[] = []
  for (const planned of plan) {
    const check = byId.get(planned.id)
    if (check === undefined) throw new Error(`the plan names an unknown check: ${planned.id}`)
    outcomes.push(await runPlanned(planned, check, apis))
  }
  await releaseAll(apis)
  return outcomes
}
