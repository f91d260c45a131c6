import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createRecorder } from '../client/recorder.ts'
import { reachDriver } from '../targets/remote.ts'
import { type Api, apiWith, type RunSettings } from './define-api.ts'
import { decisiveEvidence, durationsOf, type ExpectedAnswers } from './evidence.ts'
import type { Outcome } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import { runSideBySide } from './run-plan.ts'
import { createShared } from './shared.ts'

// The thread in which the checks of a run are judged; started by `run-in-worker.ts`.

/** The first message that the worker gets. */
export interface WorkerSetup {
  readonly settings: RunSettings
  readonly plan: readonly PlannedCheck[]
  readonly jobs: number
  readonly checkTimeoutMs: number
  readonly expectedAnswers: ExpectedAnswers
  /** Where the driver of the parent thread can be reached; null if the kit drives no server. */
  readonly driverPort: MessagePort | null
}

/** What the worker reports. After its setup the parent sends it nothing but `abort`. */
export type WorkerEvent =
  | { readonly kind: 'begin' | 'end'; readonly check: string }
  /** In the order of the plan; one that comes a second time replaces the first. */
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'ended' }

if (parentPort === null) throw new Error('this module is the thread of the checks, and starts with one')
// The data of the thread is the URL of the module that exports `apis`.
const { apis: known } = (await import(workerData as string)) as { readonly apis: readonly Api[] }
const [setup] = (await once(parentPort, 'message')) as [WorkerSetup]
const { settings, plan, jobs, checkTimeoutMs, expectedAnswers, driverPort } = setup
const driver = driverPort && reachDriver(driverPort)
const shared = createShared(Object.values(settings))
const apis = known.flatMap((api) => {
  const own = settings[api.name]
  const recorder = createRecorder(shared.redact, api.exchangePrefix)
  return own === undefined ? [] : [api.judged(own, driver, { ...shared, recorder })]
})

let aborted = false
parentPort.on('message', () => {
  aborted = true
})

await runSideBySide({
  ...{ plan, apis, jobs, checkTimeoutMs },
  isAborted: () => aborted,
  onBegin: (check) => report({ kind: 'begin', check }),
  onEnd: (check) => report({ kind: 'end', check }),
  onOutcome: (outcome) => report({ kind: 'outcome', outcome: shortened(outcome) }),
})
report({ kind: 'ended' })

function shortened(outcome: Outcome): Outcome {
  const { check } = apiWith(apis, outcome.check)
  return { ...decisiveEvidence(outcome, check, expectedAnswers), durationsMs: durationsOf(outcome.exchanges) }
}

function report(event: WorkerEvent): void {
  parentPort?.postMessage(event)
}
