// Fake timers in tests replace the global function but not this one.
import { setImmediate } from 'node:timers'

let waiting: Promise<void> | undefined

/** Resolves at the end of this turn of the event loop, after everything else in it. */
export function endOfTurn(): Promise<void> {
  waiting ??= new Promise((resolve) => {
    setImmediate(() => {
      waiting = undefined
      resolve()
    })
  })
  return waiting
}
