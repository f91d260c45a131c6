/** Lets asynchronous work happen one piece after the other, in the order of asking. */
export interface Turns {
  /** Runs `work` once all earlier work has settled, and settles as it does. */
  readonly take: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Resolves when all work asked for so far has settled. Never rejects. */
  readonly settled: () => Promise<void>
}

export function takingTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return {
    take: (work) => {
      const turn = last.then(work)
      // The next in line starts whether this one fails or not.
      last = turn.catch(() => undefined)
      return turn
    },
    settled: async () => {
      await last
    },
  }
}
