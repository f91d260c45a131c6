import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createRecorder } from '../client/recorder.ts'
import { reachDriver } from '../targets/remote.ts'
import { type Api, apiWith, type RunSettings } from './define-api.ts'
import { decisiveEvidence, durationsOf, type ExpectedAnswers } from './evidence.ts'
import type { Outcome } from './outcome.ts'
import { type RunEvent, runSideBySide, type SideBySide } from './run-plan.ts'
import { createShared } from './shared.ts'

// The thread that runs the checks. Started by `run-in-worker.ts`.

export interface WorkerPlan extends Pick<SideBySide, 'plan' | 'jobs' | 'checkTimeoutMs'> {
  readonly settings: RunSettings
  readonly expectedAnswers: ExpectedAnswers
}

export interface WorkerSetup extends WorkerPlan {
  /** The port of the driver in the parent thread; null if the kit drives no server. */
  readonly driverPort: MessagePort | null
}

/** What the parent sends after the setup: no further check begins, or the thread ends at once. */
export type WorkerCommand = 'abort' | 'end'

/** `alive` shows that no check blocks the thread. */
export type WorkerEvent = RunEvent | { readonly kind: 'alive' } | { readonly kind: 'ended' }

const aliveMs = 1_000

if (parentPort === null) throw new Error('this module is the thread of the checks, and starts with one')
// `workerData` is the URL of the module that exports `apis`.
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
parentPort.on('message', (command: WorkerCommand) => {
  if (command === 'end') process.exit()
  aborted = true
})

setInterval(() => report({ kind: 'alive' }), aliveMs).unref()
await runSideBySide({
  ...{ plan, apis, jobs, checkTimeoutMs, progress: shared.progress },
  isAborted: () => aborted,
  report: (event) => report(event.kind === 'outcome' ? { ...event, outcome: shortened(event.outcome) } : event),
})
report({ kind: 'ended' })

function shortened(outcome: Outcome): Outcome {
  const { check } = apiWith(apis, outcome.check)
  return { ...decisiveEvidence(outcome, check, expectedAnswers), durationsMs: durationsOf(outcome.exchanges) }
}

function report(event: WorkerEvent): void {
  parentPort?.postMessage(event)
}
