import { once, setMaxListeners } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { Semaphore } from 'async-mutex'
import { describeTask, type Result, type SelfTestTask } from './task.ts'

/** A thread ended early or a task timed out, so the laws cannot be judged. */
export class ThreadFailedError extends Error {
  override readonly name = 'ThreadFailedError'
}

/** Threads that run tasks. */
export type Threads = ReturnType<typeof createThreads>

export interface ThreadsOptions {
  readonly jobs: number
  /** The module that exports `apis`, as a URL. */
  readonly apisModule: string
  /** The time limit of one task. */
  readonly taskLimitMs: number
}

/** A task for a thread, and the port for its reply. */
export interface Assignment {
  readonly task: SelfTestTask
  readonly replyTo: MessagePort
}

export type Reply = { readonly results: readonly Result[] } | { readonly error: string }

/** While one simulator in a thread waits for the network, another can run. */
const tasksPerThread = 3

/** Nearly all objects are short-lived, so more memory for them means fewer garbage collections. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 }

/** Starts the threads. `close` ends them even if they are busy. */
export function createThreads({ jobs, apisModule, taskLimitMs }: ThreadsOptions) {
  // The first failure ends every task, since the result would be incomplete.
  const failed = new AbortController()
  setMaxListeners(0, failed.signal)
  const fail = (reason: string) => failed.abort(new ThreadFailedError(reason))
  const free = new Semaphore(jobs * tasksPerThread)
  const threads = Array.from({ length: jobs }, () => {
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: apisModule, resourceLimits })
    const running = new Set<SelfTestTask>()
    const ended = (how: string) => {
      const at = Array.from(running, describeTask).join(', ')
      fail(`A thread ended ${how}.\nIt was judging ${at || 'nothing yet'}.`)
    }
    worker.on('error', (error) => ended(`with an error: ${error.stack ?? error.message}`))
    worker.on('exit', (code) => ended(`with exit code ${code}`))
    return { worker, running }
  })

  async function runIn({ worker, running }: (typeof threads)[number], task: SelfTestTask): Promise<readonly Result[]> {
    const { port1, port2 } = new MessageChannel()
    const limit = setTimeout(fail, taskLimitMs, `${describeTask(task)} was not judged within ${taskLimitMs / 1000} s`)
    running.add(task)
    try {
      worker.postMessage({ task, replyTo: port2 } satisfies Assignment, [port2])
      const [reply] = (await once(port1, 'message', { signal: failed.signal })) as [Reply]
      if ('results' in reply) return reply.results
      throw new ThreadFailedError(`${describeTask(task)} could not be judged: ${reply.error}`)
    } catch (error) {
      throw failed.signal.reason ?? error
    } finally {
      clearTimeout(limit)
      running.delete(task)
      port1.close()
    }
  }

  return {
    /** Runs a task as soon as a thread is free. Rejects with `ThreadFailedError` on a timeout. */
    run: (task: SelfTestTask) =>
      free.runExclusive(() => {
        const [idlest] = threads.toSorted((one, other) => one.running.size - other.running.size)
        return runIn(idlest as (typeof threads)[number], task)
      }),
    async close() {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}
