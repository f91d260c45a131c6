import { setTimeout as pause } from 'node:timers/promises'
import type { Mutex } from 'async-mutex'

/** What a server tracks about overlapping changes. */
export interface Overlap {
  /** The number of changes that are being saved. */
  readonly saving: number
  /** The number of changes that have arrived and are not finished. */
  readonly underWay: number
  /** `underWay` at the arrival of the last change, itself included. */
  readonly onArrival: number
  /** Whether the change that runs has waited for another one. */
  readonly waited: boolean
  /** How many times the server has become idle. */
  readonly idle: number
}

interface ChangingHooks {
  readonly save: (write: () => Promise<void>, change: never) => Promise<void>
  readonly serialise: <Result>(mutex: Mutex, change: () => Promise<Result>) => Promise<Result>
}

/** A server that saves slowly, so that changes overlap, and is wrong when they do. */
export function overlapping<Hooks extends ChangingHooks>(
  savingTakesMs: number,
  wrong: (hooks: Hooks, overlap: Overlap) => Partial<Hooks>,
): (hooks: Hooks) => Partial<Hooks> {
  return (hooks) => {
    const overlap = { saving: 0, underWay: 0, onArrival: 0, waited: false, idle: 0 }
    const slow: ChangingHooks = {
      save: async (write, change) => {
        overlap.saving += 1
        await pause(savingTakesMs)
        await hooks.save(write, change).finally(() => {
          overlap.saving -= 1
        })
      },
      serialise: (mutex, change) => {
        const waits = overlap.underWay > 0
        const run = () => {
          overlap.waited = waits
          return change()
        }
        overlap.underWay += 1
        overlap.onArrival = overlap.underWay
        return hooks.serialise(mutex, run).finally(() => {
          overlap.underWay -= 1
          if (overlap.underWay === 0) overlap.idle += 1
        })
      },
    }
    return { ...(slow as Partial<Hooks>), ...wrong({ ...hooks, ...slow }, overlap) }
  }
}
