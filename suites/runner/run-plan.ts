import type { Case } from '../session/check.ts'
import { judge } from './judge.ts'
import { notRun } from './not-run.ts'
import type { Outcome } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import type { Context } from './plugin/context.ts'
import { releaseFiller } from './plugin/settle.ts'

/** Runs one planned check, or says why it is not run. */
export async function runPlanned(planned: PlannedCheck, check: Case, context: Context): Promise<Outcome> {
  if (planned.outOfScope !== null) return notRun(planned.id, 'out-of-scope', planned.outOfScope)
  if (check.fills !== true) await releaseFiller(context)
  return judge(check, context)
}

/** Runs a whole plan in this thread, one check after the other, without Vitest. */
export async function runPlan(
  plan: readonly PlannedCheck[],
  checks: readonly Case[],
  context: Context,
): Promise<readonly Outcome[]> {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const outcomes: Outcome[] = []
  for (const planned of plan) {
    const check = byId.get(planned.id)
    if (check === undefined) throw new Error(`the plan names an unknown check: ${planned.id}`)
    outcomes.push(await runPlanned(planned, check, context))
  }
  await releaseFiller(context)
  return outcomes
}
