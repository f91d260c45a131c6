import { createRunContext } from '../../suites/runner/context.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { runPlan } from '../../suites/runner/run-plan.ts'
import type { SimulatedApi } from './api.ts'
import { everyCase } from './apis.ts'
import { needsConsent, settingsOf, type TargetSession } from './session.ts'

/** What a run is expected to send. */
export interface RunEstimate {
  /** Of a dry run against simulators. */
  readonly outcomes: readonly Outcome[]
  /** The most writes that the run is allowed to send. */
  readonly mostWrites: number
}

/** Runs the plan against simulators in this process and counts what is sent. */
export async function estimateRun({ apis }: TargetSession, plan: readonly PlannedCheck[]): Promise<RunEstimate> {
  const simulated: SimulatedApi[] = []
  try {
    for (const api of apis) simulated.push(await api.simulate())
    const driver = simulated.find((one) => one.driver !== null)?.driver ?? null
    const outcomes = await runPlan(plan, everyCase, createRunContext(settingsOf(simulated), driver))
    return { outcomes, mostWrites: apis.reduce((sum, api) => sum + api.mostWrites(outcomes), 0) }
  } finally {
    for (const one of simulated) await one.stop()
  }
}

/** The estimate that `consent` needs: none where no foreign server is written to. */
export async function estimateFor(session: TargetSession, plan: readonly PlannedCheck[]): Promise<RunEstimate> {
  return needsConsent(session) ? estimateRun(session, plan) : { outcomes: [], mostWrites: 0 }
}
