import { Semaphore } from 'async-mutex'

export interface ScheduledTask {
  /** Tasks of one sequence run one after the other; null for an independent task. */
  readonly sequence: string | null
  /** Whether it begins only after all tasks before it, and nothing else runs until it has ended. */
  readonly alone: boolean
  /** @param becomeAlone resolves when no other task runs; none begins before this one has ended */
  run(becomeAlone: () => Promise<void>): Promise<void>
}

/** Runs at most `jobs` tasks at a time, always the first in the list that may begin, until `isEnded`. */
export async function schedule(tasks: readonly ScheduledTask[], jobs: number, isEnded: () => boolean): Promise<void> {
  /** A task alone takes all places. */
  const places = new Semaphore(jobs)

  const runTask = async ({ alone, run }: ScheduledTask, at: number, before: Promise<void> | undefined) => {
    await before
    let [, release] = await places.acquire(alone ? jobs : 1, -at)
    let isConcurrent = !alone
    let hasEnded = isEnded()
    const becomeAlone = async () => {
      if (!isConcurrent) return
      isConcurrent = false
      const all = places.acquire(jobs, Number.POSITIVE_INFINITY)
      release()
      const [, releaseAll] = await all
      // It may have been abandoned in the meantime.
      if (hasEnded) releaseAll()
      else release = releaseAll
    }
    if (!hasEnded) await run(becomeAlone)
    hasEnded = true
    // The next task of the sequence asks for a place first.
    setImmediate(release)
  }

  const lastOf = new Map<string | null, Promise<void>>()
  const running = tasks.map((task, at) => {
    const ended = runTask(task, at, lastOf.get(task.sequence))
    if (task.sequence !== null) lastOf.set(task.sequence, ended)
    return ended
  })
  await Promise.all(running)
}
