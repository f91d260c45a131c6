import type { Check, Observation } from './check.ts'
import type { Context } from './context.ts'
import { judge } from './judge.ts'
import type { Outcome } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import { releaseFiller } from './settle.ts'

/** Runs one planned check, or says why it is not run. */
export async function runPlanned(
  planned: PlannedCheck,
  check: Check | Observation,
  context: Context,
): Promise<Outcome> {
  if (planned.outOfScope !== null) return outOfScope(planned.id, planned.outOfScope)
  if (check.risk !== 'exclusive') await releaseFiller(context)
  return judge(check, context)
}

function outOfScope(check: string, message: string): Outcome {
  return {
    check,
    status: 'out-of-scope',
    durationMs: 0,
    message,
    expected: null,
    actual: null,
    curl: null,
    exchanges: [],
    exchangesOmitted: 0,
    answer: null,
  }
}
