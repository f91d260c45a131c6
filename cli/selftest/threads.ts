import { Worker } from 'node:worker_threads'
import { describeTask, type Result, type SelfTestTask } from './task.ts'
import type { Assignment, Reply } from './thread.ts'

/** A thread ended early or a task timed out, so the laws cannot be judged. */
export class ThreadFailedError extends Error {
  override readonly name = 'ThreadFailedError'
}

/** Threads that run tasks. */
export interface Threads {
  /** Runs a task as soon as a thread is free. Rejects with `ThreadFailedError` on a timeout. */
  run(task: SelfTestTask): Promise<readonly Result[]>
  close(): Promise<void>
}

export interface ThreadsOptions {
  readonly jobs: number
  /** The module that exports `apis`, as a URL. */
  readonly apisModule: string
  /** The time limit of one task. */
  readonly taskLimitMs: number
}

/** While one simulator in a thread waits for the network, another can run. */
const tasksPerThread = 3

/** Nearly all objects are short-lived, so more memory for them means fewer garbage collections. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 }

interface Waiting {
  readonly task: SelfTestTask
  readonly resolve: (results: readonly Result[]) => void
  readonly reject: (error: Error) => void
}

interface Running extends Waiting {
  readonly limit: NodeJS.Timeout
}

interface Thread {
  readonly worker: Worker
  readonly running: Map<number, Running>
}

/** Starts the threads. `close` ends them even if they are busy. */
export function createThreads({ jobs, apisModule, taskLimitMs }: ThreadsOptions): Threads {
  const queue: Waiting[] = []
  let count = 0
  let failure: ThreadFailedError | null = null
  let closing = false

  const threads = Array.from({ length: jobs }, () => {
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: apisModule, resourceLimits })
    const thread: Thread = { worker, running: new Map() }
    worker.on('message', (reply: Reply) => settle(thread, reply))
    worker.on('error', (error) => fail(thread, `with an error: ${error.stack ?? error.message}`))
    worker.on('exit', (code) => fail(thread, `with exit code ${code}`))
    return thread
  })

  function next(thread: Thread): void {
    while (thread.running.size < tasksPerThread) {
      const waiting = queue.shift()
      if (waiting === undefined) return
      count += 1
      const id = count
      const tooLong = () => giveUp(`${describeTask(waiting.task)} was not judged within ${taskLimitMs / 1000} s`)
      thread.running.set(id, { ...waiting, limit: setTimeout(tooLong, taskLimitMs) })
      thread.worker.postMessage({ id, task: waiting.task } satisfies Assignment)
    }
  }

  function settle(thread: Thread, reply: Reply): void {
    const running = thread.running.get(reply.id)
    if (running === undefined) return
    clearTimeout(running.limit)
    thread.running.delete(reply.id)
    if ('results' in reply) running.resolve(reply.results)
    else running.reject(new ThreadFailedError(`${describeTask(running.task)} could not be judged: ${reply.error}`))
    next(thread)
  }

  function fail(thread: Thread, how: string): void {
    if (closing) return
    const at = [...thread.running.values()].map(({ task }) => describeTask(task)).join(', ')
    giveUp(`A thread ended ${how}.\nIt was judging ${at || 'nothing yet'}.`)
  }

  function giveUp(reason: string): void {
    failure ??= new ThreadFailedError(reason)
    const left = [...queue.splice(0), ...threads.flatMap(({ running }) => [...running.values()])]
    for (const { running } of threads) {
      for (const { limit } of running.values()) clearTimeout(limit)
      running.clear()
    }
    for (const { reject } of left) reject(failure)
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure)
        queue.push({ task, resolve, reject })
        const idlest = threads.toSorted((one, other) => one.running.size - other.running.size)[0]
        if (idlest !== undefined) next(idlest)
      }),
    async close() {
      closing = true
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}
