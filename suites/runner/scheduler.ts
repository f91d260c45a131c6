/** A task, and what may run at the same time. */
export interface ScheduledTask {
  /** Tasks of one sequence run one after the other; null for an independent task. */
  readonly sequence: string | null
  /** Whether it begins only after all tasks before it, and nothing else runs until it has ended. */
  readonly alone: boolean
  run(control: TaskControl): Promise<void>
}

/** What a task may ask the scheduler for. */
export interface TaskControl {
  /** Resolves when no other task runs. None begins before this one has ended. */
  becomeAlone(): Promise<void>
}

/**
 * Runs tasks concurrently, at most `jobs` at a time. The next is always the first in the list that may begin, so that
 * one job runs them in order.
 *
 * @param isEnded whether no further task may begin
 */
export function schedule(tasks: readonly ScheduledTask[], jobs: number, isEnded: () => boolean): Promise<void> {
  const waiting = [...tasks]
  const busy = new Set<string>()
  const toBeAlone: (() => void)[] = []
  let running = 0
  let isAlone = false

  const next = (): ScheduledTask | null => {
    for (const task of waiting) {
      if (task.alone) return running === 0 ? task : null
      if (task.sequence === null || !busy.has(task.sequence)) return task
    }
    return null
  }

  return new Promise((resolve, reject) => {
    const begin = (task: ScheduledTask) => {
      const { sequence } = task
      waiting.splice(waiting.indexOf(task), 1)
      running += 1
      isAlone = task.alone
      if (sequence !== null) busy.add(sequence)
      let state: 'concurrent' | 'waiting' | 'alone' | 'ended' = task.alone ? 'alone' : 'concurrent'
      const becomeAlone = () =>
        new Promise<void>((resolveAlone) => {
          if (state !== 'concurrent') return resolveAlone()
          state = 'waiting'
          running -= 1
          toBeAlone.push(() => {
            // It may have been abandoned in the meantime.
            if (state === 'ended') return
            state = 'alone'
            isAlone = true
            running += 1
            resolveAlone()
          })
          dispatch()
        })
      task.run({ becomeAlone }).then(() => {
        if (state !== 'waiting') running -= 1
        if (state === 'alone') isAlone = false
        if (sequence !== null) busy.delete(sequence)
        state = 'ended'
        dispatch()
      }, reject)
    }
    const dispatch = () => {
      while (running === 0 && !isAlone && toBeAlone.length > 0) toBeAlone.shift()?.()
      if (isAlone || toBeAlone.length > 0) return
      for (let task = next(); running < jobs && !isAlone && !isEnded() && task !== null; task = next()) begin(task)
      if (running === 0) resolve()
    }
    dispatch()
  })
}
