import { addAbortListener } from 'node:events'
import { Worker } from 'node:worker_threads'
import pTimeout from 'p-timeout'
import type { Driver } from '../targets/driver.ts'
import { offerDriver } from '../targets/remote.ts'
import { notRun, type Outcome } from './outcome.ts'
import type { WorkerCommand, WorkerEvent, WorkerPlan, WorkerSetup } from './worker.ts'

export interface PlanRun extends WorkerPlan {
  readonly thread: CheckThread
  /** Null if the kit drives no server. */
  readonly driver: Driver | null
  /** Called for each check, in order, when it and all before it have ended. */
  readonly onOutcome: (outcome: Outcome) => void
  /** Ends the run after the current check, or at once if nothing is written. */
  readonly signal: AbortSignal
  readonly readsOnly: boolean
  readonly redact: (text: string) => string
}

/** The thread that runs the checks ended before they did. */
export class WorkerEndedError extends Error {
  override readonly name = 'WorkerEndedError'
}

/** The worker ends checks that wait. If a check blocks its thread for so long, and a little longer, it is ended from here. */
const graceMs = 5_000

/** Node.js fires timers at once whose delay has more than 31 bits. */
const longestTimerMs = 2 ** 31 - 1

export type CheckThread = ReturnType<typeof startThread>

/** Starts the thread of the checks. `apisModule` is the URL of the module that exports the APIs as `apis`. */
export function startThread(apisModule: string, module = new URL('./worker.js', import.meta.url)) {
  const worker = new Worker(module, { workerData: apisModule })
  // An unused thread must not keep this process alive.
  worker.unref()
  return {
    worker,
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

/**
 * Runs a plan in a worker thread, so that this thread stays free to drive servers, to handle signals and to clean up,
 * whatever a check does. Returns the outcomes in the order of the plan, or throws `WorkerEndedError`.
 */
export async function runInWorker(run: PlanRun): Promise<readonly Outcome[]> {
  const { settings, plan, jobs, expectedAnswers, signal } = run
  if (signal.aborted) return []
  const checkTimeoutMs = Math.min(run.checkTimeoutMs, longestTimerMs - graceMs)
  const offered = run.driver === null ? null : offerDriver(run.driver)
  const driverPort = offered?.port ?? null
  const setup: WorkerSetup = { settings, plan, jobs, checkTimeoutMs, expectedAnswers, driverPort }
  const { worker } = run.thread
  worker.ref()
  worker.postMessage(setup, offered === null ? [] : [offered.port])
  using _ = addAbortListener(signal, () => worker.postMessage('abort' satisfies WorkerCommand))
  try {
    return await outcomesOf(worker, { ...run, checkTimeoutMs })
  } finally {
    await endThread(worker)
    offered?.close()
  }
}

/** The thread ends itself, since Node.js may abort as a whole if a thread is terminated while it parses HTTP. */
async function endThread(worker: Worker): Promise<void> {
  // It has already ended.
  if (worker.threadId === -1) return
  worker.postMessage('end' satisfies WorkerCommand)
  const exited = new Promise<unknown>((resolve) => worker.once('exit', resolve))
  await pTimeout(exited, { milliseconds: 1000, fallback: () => worker.terminate() })
}

function outcomesOf(worker: Worker, { checkTimeoutMs, onOutcome, signal, readsOnly, redact }: PlanRun) {
  /** A second outcome of a check replaces the first. */
  const outcomes = new Map<string, Outcome>()
  const running = new Map<string, NodeJS.Timeout>()
  const ends = (outcome: Outcome) => {
    outcomes.set(outcome.check, outcome)
    onOutcome(outcome)
  }
  return new Promise<readonly Outcome[]>((resolve, reject) => {
    const end = () => resolve([...outcomes.values()])
    const fail = (how: string) => {
      // An interrupted run reports what it has. The error of a library may quote a request, and so the key.
      if (signal.aborted) return end()
      const checks = [...running.keys()].join(', ')
      reject(new WorkerEndedError(`The thread of the checks ended ${redact(how)}${checks && ` during ${checks}`}.`))
    }
    // A check that only reads leaves nothing to clean up, and may take long if the list is long.
    if (readsOnly) signal.addEventListener('abort', end, { once: true })
    worker.on('message', (event: WorkerEvent) => {
      for (const limit of running.values()) limit.refresh()
      if (event.kind === 'alive') return
      if (event.kind === 'ended') return end()
      if (event.kind === 'outcome') return ends(event.outcome)
      const { check } = event
      if (event.kind === 'end') {
        clearTimeout(running.get(check))
        return void running.delete(check)
      }
      const blocked = () => {
        ends(notRun(check, 'error', `the check blocked its thread for more than ${checkTimeoutMs / 1000} s`))
        fail('because it was blocked')
      }
      running.set(check, setTimeout(blocked, checkTimeoutMs + graceMs))
    })
    worker.once('error', (error) => fail(`with an error: ${error.stack ?? error.message}`))
    worker.once('exit', (code) => fail(`with exit code ${code}`))
  }).finally(() => {
    // A check that begins after an abort would set a timer that keeps this process alive.
    worker.removeAllListeners('message')
    for (const limit of running.values()) clearTimeout(limit)
  })
}
