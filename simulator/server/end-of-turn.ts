// Fake timers of a test replace the global function, and not this one.
import { setImmediate } from 'node:timers'

let waiting: Promise<void> | undefined

/** Resolves at the end of this turn of the event loop, after everything else that happens in it. */
export function endOfTurn(): Promise<void> {
  waiting ??= new Promise((resolve) => {
    setImmediate(() => {
      waiting = undefined
      resolve()
    })
  })
  return waiting
}
