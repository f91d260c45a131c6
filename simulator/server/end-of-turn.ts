/** Taken before a test can replace it by a fake timer. */
const { setImmediate: afterThisTurn } = globalThis

let waiting: Promise<void> | undefined

/** Resolves when all requests that have arrived in this turn of the event loop were handled. */
export function endOfTurn(): Promise<void> {
  waiting ??= new Promise((resolve) => {
    afterThisTurn(() => {
      waiting = undefined
      resolve()
    })
  })
  return waiting
}
