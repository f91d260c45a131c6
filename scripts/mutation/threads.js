// @ts-check
import { Worker } from 'node:worker_threads'

/** While one simulator of a thread waits for the network, others can run. */
const tasksPerThread = 3

/** A mutant may make a check hang. */
const taskLimitMs = 60_000

/** @typedef {import('./thread.js').Task} Task */
/** @typedef {import('./thread.js').Judged} Judged */

/**
 * Threads that judge simulators. If a task exceeds the limit, or its thread crashes, it is repeated once, since the
 * machine may be busy or another task may be the cause. After that the result is null.
 * @param {{ jobs: number, module: string, seed: number }} options
 */
export function createThreads({ jobs, module, seed }) {
  /** @type {{ task: Task, isRepeated: boolean, resolve: (judged: Judged | null) => void }[]} */
  const queue = []
  let count = 0
  const threads = Array.from({ length: jobs }, () => open())

  function open() {
    const worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: { module, seed } })
    const thread = { worker, running: new Map() }
    worker.on('message', ({ id, judged }) => settle(thread, id, judged))
    worker.on('error', () => replace(thread))
    return thread
  }

  /** @param {ReturnType<typeof open>} thread @param {number} id @param {Judged | null} judged */
  function settle(thread, id, judged) {
    const running = thread.running.get(id)
    thread.running.delete(id)
    clearTimeout(running?.limit)
    running?.resolve(judged)
    next()
  }

  /** @param {ReturnType<typeof open>} thread */
  function replace(thread) {
    const place = threads.indexOf(thread)
    if (place === -1) return
    threads[place] = open()
    void thread.worker.terminate()
    for (const { limit, isRepeated, ...waiting } of thread.running.values()) {
      clearTimeout(limit)
      if (isRepeated) waiting.resolve(null)
      else queue.push({ ...waiting, isRepeated: true })
    }
    next()
  }

  function next() {
    for (const thread of threads) {
      while (thread.running.size < tasksPerThread) {
        const waiting = queue.shift()
        if (waiting === undefined) return
        count += 1
        const limit = setTimeout(() => replace(thread), taskLimitMs)
        thread.running.set(count, { ...waiting, limit })
        thread.worker.postMessage({ id: count, task: waiting.task })
      }
    }
  }

  return {
    /** @param {Task} task @returns {Promise<Judged | null>} */
    run: (task) =>
      new Promise((resolve) => {
        queue.push({ task, isRepeated: false, resolve })
        next()
      }),
    close: () => Promise.all(threads.splice(0).map(({ worker }) => worker.terminate())),
  }
}
