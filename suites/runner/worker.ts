import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { platformChecks, platformObservations } from '../checks/platform/all.ts'
import { pluginCases } from '../checks/plugin/all.ts'
import { createRecorder } from '../client/recorder.ts'
import { reachDriver } from '../targets/remote.ts'
import { createRunContext, type RunSettings } from './context.ts'
import { durationsOf } from './durations.ts'
import { decisiveEvidence, type ExpectedAnswers } from './evidence.ts'
import type { Outcome } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import { createShared } from './shared.ts'
import { runSideBySide } from './side-by-side.ts'

// The thread in which the checks of a run are judged; started by `run-in-worker.ts`.

/** The first message that the worker gets. */
export interface WorkerSetup {
  readonly settings: RunSettings
  readonly plan: readonly PlannedCheck[]
  readonly jobs: number
  readonly checkTimeoutMs: number
  readonly expectedAnswers: ExpectedAnswers
  /** Where the driver of the parent thread can be reached; null where the kit drives no server. */
  readonly driverPort: MessagePort | null
}

/** What the worker reports. After its setup the parent sends it nothing but `abort`. */
export type WorkerEvent =
  | { readonly kind: 'begin' | 'end'; readonly check: string }
  /** In the order of the plan; one that comes a second time replaces the first. */
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'ended' }

if (parentPort === null) throw new Error('this module is the thread of the checks, and starts with one')
const [setup] = (await once(parentPort, 'message')) as [WorkerSetup]
const { settings, plan, jobs, checkTimeoutMs, expectedAnswers, driverPort } = setup
const driver = driverPort && reachDriver(driverPort)
const shared = createShared([settings.plugin, settings.platform].filter((one) => one !== null))
const ofPlatform = { ...shared, recorder: createRecorder(shared.redact, 'p-') }
const cases = new Map([...pluginCases, ...platformChecks, ...platformObservations].map((check) => [check.id, check]))

let aborted = false
parentPort.on('message', () => {
  aborted = true
})

await runSideBySide({
  ...{ plan, cases, driver, shared, jobs, checkTimeoutMs },
  context: createRunContext(settings, driver, shared, ofPlatform),
  isAborted: () => aborted,
  onBegin: (check) => report({ kind: 'begin', check }),
  onEnd: (check) => report({ kind: 'end', check }),
  onOutcome: (outcome) => report({ kind: 'outcome', outcome: shortened(outcome) }),
})
report({ kind: 'ended' })

function shortened(outcome: Outcome): Outcome {
  const check = cases.get(outcome.check)
  if (check === undefined) return outcome
  return { ...decisiveEvidence(outcome, check, expectedAnswers), durationsMs: durationsOf(outcome.exchanges) }
}

function report(event: WorkerEvent): void {
  parentPort?.postMessage(event)
}
