import { Worker } from 'node:worker_threads'
import type { Driver } from '../targets/driver.ts'
import { offerDriver } from '../targets/remote.ts'
import type { RunSettings } from './context.ts'
import type { ExpectedAnswers } from './evidence.ts'
import type { Outcome } from './outcome.ts'
import { notRun } from './outcome.ts'
import type { PlannedCheck } from './plan.ts'
import { redactorFor } from './shared.ts'
import type { WorkerEvent, WorkerSetup } from './worker.ts'

export interface PlanRun {
  readonly settings: RunSettings
  readonly plan: readonly PlannedCheck[]
  /** Null where the kit drives no server. */
  readonly driver: Driver | null
  /** The most that one check may take. */
  readonly checkTimeoutMs: number
  readonly expectedAnswers: ExpectedAnswers
  /** Called for each check as it ends. */
  readonly onOutcome: (outcome: Outcome) => void
  /** Ends the run after the check that is running; at once where nothing is written. */
  readonly signal: AbortSignal
}

/** The thread that runs the checks ended before they did. */
export class WorkerDiedError extends Error {
  override readonly name = 'WorkerDiedError'
}

/** A check that waits is ended by the worker. One that never lets go of its thread is ended from here, a little later. */
const graceMs = 5_000

/** Node.js counts the milliseconds of a timer in 31 bits, and takes a longer one for none at all. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Runs a plan in a worker thread, so that this thread stays free to drive servers, to handle signals
 * and to clean up, whatever a check does. Returns the outcomes in the order in which the checks ended.
 *
 * @throws {WorkerDiedError} when the worker ended before the plan did
 */
export async function runInWorker(run: PlanRun): Promise<readonly Outcome[]> {
  const { settings, plan, expectedAnswers, signal } = run
  if (signal.aborted) return []
  const checkTimeoutMs = Math.min(run.checkTimeoutMs, longestTimerMs - graceMs)
  const offered = run.driver === null ? null : offerDriver(run.driver)
  const driverPort = offered?.port ?? null
  const workerData: WorkerSetup = { settings, plan, checkTimeoutMs, expectedAnswers, driverPort }
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData,
    transferList: offered === null ? [] : [offered.port],
  })
  const abort = () => worker.postMessage('abort')
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await outcomesOf(worker, { ...run, checkTimeoutMs })
  } finally {
    signal.removeEventListener('abort', abort)
    await worker.terminate()
    offered?.close()
  }
}

function outcomesOf(
  worker: Worker,
  { settings, checkTimeoutMs, onOutcome, signal }: PlanRun,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  // An error of a library may quote a request, and so the key.
  const redact = redactorFor([settings.plugin, settings.platform].filter((one) => one !== null))
  let running: { readonly check: string; readonly limit: NodeJS.Timeout } | null = null
  const ends = (outcome: Outcome) => {
    outcomes.push(outcome)
    onOutcome(outcome)
  }
  return new Promise<readonly Outcome[]>((resolve, reject) => {
    const died = (how: string) => {
      // A run that was interrupted reports what it has.
      if (signal.aborted) resolve(outcomes)
      else reject(new WorkerDiedError(`The thread of the checks ended ${redact(how)}${during(running?.check)}.`))
    }
    // A check that only reads leaves nothing to clean up, and may take long where the list is long.
    if (readsOnly(settings)) signal.addEventListener('abort', () => resolve(outcomes), { once: true })
    worker.on('message', (event: WorkerEvent) => {
      clearTimeout(running?.limit)
      running = null
      if (event.kind === 'ended') return resolve(outcomes)
      if (event.kind === 'outcome') return ends(event.outcome)
      const { check } = event
      const blocked = () => {
        ends(notRun(check, 'error', `the check blocked its thread for more than ${checkTimeoutMs / 1000} s`))
        died('because it was blocked')
      }
      running = { check, limit: setTimeout(blocked, checkTimeoutMs + graceMs) }
    })
    worker.once('error', (error) => died(`with an error: ${error.stack ?? error.message}`))
    worker.once('exit', (code) => died(`with exit code ${code}`))
  }).finally(() => {
    // A check that begins after an abort would set a limit that keeps this process.
    worker.removeAllListeners('message')
    clearTimeout(running?.limit)
  })
}

function readsOnly({ plugin, platform }: RunSettings): boolean {
  return [plugin?.risk, platform?.target.risk].every((risk) => risk === undefined || risk === 'read')
}

function during(check: string | undefined): string {
  return check === undefined ? '' : ` during ${check}`
}
