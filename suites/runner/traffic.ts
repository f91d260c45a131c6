import { setTimeout as delay } from 'node:timers/promises'
import { CannotArrange } from '../assertions/failure.ts'
import type { Observer } from '../client/observed.ts'

export type Progress = ReturnType<typeof createProgress>

/** When the checks of a run last sent or received something. */
export function createProgress() {
  let at = performance.now()
  const note = () => {
    at = performance.now()
  }
  return {
    note,
    /** The result of the work, or of `otherwise` once nothing has been sent or received for so long. */
    async unlessIdle<Result>(work: Promise<Result>, milliseconds: number, otherwise: () => Result): Promise<Result> {
      note()
      const ended = new AbortController()
      const idle = async () => {
        for (let left = milliseconds; left > 0; left = at + milliseconds - performance.now()) {
          await delay(left, undefined, { signal: ended.signal })
        }
        return otherwise()
      }
      try {
        return await Promise.race([work, idle()])
      } finally {
        ended.abort()
      }
    },
  }
}

/** Lets requests pass to the servers of one context. After `sendOnly` only so many more pass. */
export function createGate({ note }: Progress) {
  let left = Number.POSITIVE_INFINITY
  return {
    observe: (() => {
      if (left === 0) throw new CannotArrange('no more requests are sent, since an earlier check did not end')
      left -= 1
      note()
      return note
    }) satisfies Observer,
    sendOnly: (count: number) => {
      left = count
    },
  }
}
