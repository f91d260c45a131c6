import { fork } from 'node:child_process'
import { EventEmitter, once, setMaxListeners } from 'node:events'
import { Semaphore } from 'async-mutex'
import { describeTask, type Result, type SelfTestTask } from './task.ts'

/** A process ended early or a task timed out, so the laws cannot be judged. */
export class ProcessFailedError extends Error {
  override readonly name = 'ProcessFailedError'
}

export type Processes = ReturnType<typeof createProcesses>

/** A task for a process, and the number for its reply. */
export interface Assignment {
  readonly id: number
  readonly task: SelfTestTask
}

export type Reply = { readonly id: number } & ({ readonly results: readonly Result[] } | { readonly error: string })

export const kitApis = new URL('./apis.js', import.meta.url).href

/** Many checks wait, such as for a response that a defect withholds. Meanwhile other simulators can run. */
const tasksAtOnce = 8

/** Nearly all objects are short-lived, so more memory for them means fewer garbage collections. */
const execArgv = ['--max-semi-space-size=32']

/**
 * Starts the processes. `close` ends them even if they are busy. Threads would not do: Node.js may abort as a whole if
 * one is terminated while it parses HTTP. `apisModule` is the URL of the module that exports `apis`.
 */
export function createProcesses(jobs: number, taskLimitMs: number, apisModule = kitApis) {
  // The first failure ends every task, since the result would be incomplete.
  const failed = new AbortController()
  setMaxListeners(0, failed.signal)
  const fail = (reason: string) => failed.abort(new ProcessFailedError(reason))
  const free = new Semaphore(jobs * tasksAtOnce)
  let lastId = 0
  const processes = Array.from({ length: jobs }, () => {
    const child = fork(new URL('./child.js', import.meta.url), [apisModule], { execArgv, serialization: 'advanced' })
    const replies = new EventEmitter()
    const running = new Set<SelfTestTask>()
    const ended = (how: string) => {
      const at = Array.from(running, describeTask).join(', ')
      fail(`A process ended ${how}.\nIt was judging ${at || 'nothing yet'}.`)
    }
    child.on('message', (reply: Reply) => replies.emit(`${reply.id}`, reply))
    child.on('error', (error) => ended(`with an error: ${error.message}`))
    child.on('exit', (code, signal) => ended(signal === null ? `with exit code ${code}` : `by ${signal}`))
    return { child, replies, running }
  })

  async function runIn({ child, replies, running }: (typeof processes)[number], task: SelfTestTask) {
    lastId += 1
    const id = lastId
    const limit = setTimeout(fail, taskLimitMs, `${describeTask(task)} was not judged within ${taskLimitMs / 1000} s`)
    running.add(task)
    try {
      failed.signal.throwIfAborted()
      child.send({ id, task } satisfies Assignment)
      const [reply] = (await once(replies, `${id}`, { signal: failed.signal })) as [Reply]
      if ('results' in reply) return reply.results
      throw new ProcessFailedError(`${describeTask(task)} could not be judged: ${reply.error}`)
    } catch (error) {
      throw failed.signal.reason ?? error
    } finally {
      clearTimeout(limit)
      running.delete(task)
    }
  }

  return {
    /** Runs a task as soon as a process is free. Rejects with `ProcessFailedError` on a timeout. */
    run: (task: SelfTestTask) =>
      free.runExclusive(() => {
        const [idlest] = processes.toSorted((one, other) => one.running.size - other.running.size)
        return runIn(idlest as (typeof processes)[number], task)
      }),
    async close() {
      const running = processes.filter(({ child }) => child.exitCode === null && child.signalCode === null)
      await Promise.all(running.map(({ child }) => child.kill('SIGKILL') && once(child, 'exit')))
    },
  }
}
