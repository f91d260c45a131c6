import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import pTimeout from 'p-timeout'
import { platformChecks, platformObservations } from '../checks/platform/all.ts'
import { pluginCases } from '../checks/plugin/all.ts'
import { reachDriver } from '../targets/remote.ts'
import { createRunContext, type RunSettings } from './context.ts'
import { decisiveEvidence, type ExpectedAnswers } from './evidence.ts'
import type { Outcome } from './outcome.ts'
import { notRun } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import { releaseAll, runPlanned } from './run-plan.ts'

// The thread in which the checks of a run are judged; started by `run-in-worker.ts`.

/** What the worker gets when it starts. */
export interface WorkerSetup {
  readonly settings: RunSettings
  readonly plan: readonly PlannedCheck[]
  readonly checkTimeoutMs: number
  readonly expectedAnswers: ExpectedAnswers
  /** Where the driver of the parent thread can be reached; null where the kit drives no server. */
  readonly driverPort: MessagePort | null
}

/** What the worker reports. The parent sends it nothing but `abort`. */
export type WorkerEvent =
  | { readonly kind: 'check'; readonly check: string }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'ended' }

const { settings, plan, checkTimeoutMs, expectedAnswers, driverPort } = workerData as WorkerSetup
const context = createRunContext(settings, driverPort && reachDriver(driverPort))
const checks = new Map([...pluginCases, ...platformChecks, ...platformObservations].map((check) => [check.id, check]))

let aborted = false
parentPort?.on('message', () => {
  aborted = true
})

for (const planned of plan) {
  if (aborted) break
  report({ kind: 'check', check: planned.id })
  report({ kind: 'outcome', outcome: await withinLimit(planned) })
}
if (settings.plugin?.keepServerOf === undefined) await releaseAll(context)
report({ kind: 'ended' })

async function withinLimit(planned: PlannedCheck): Promise<Outcome> {
  const check = checks.get(planned.id)
  if (check === undefined) throw new Error(`the plan names an unknown check: ${planned.id}`)
  const outcome = await pTimeout(runPlanned(planned, check, context), {
    milliseconds: checkTimeoutMs,
    fallback: () => notRun(check.id, 'error', `the check did not end within ${checkTimeoutMs / 1000} s`),
  })
  return decisiveEvidence(outcome, check, expectedAnswers)
}

function report(event: WorkerEvent): void {
  parentPort?.postMessage(event)
}
