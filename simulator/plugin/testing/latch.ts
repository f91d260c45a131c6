import type { Override } from '../../index.ts'

/** A point at which the simulator waits until the test lets it continue or fail. */
export interface Latch {
  readonly override: Override
  /** Resolves when the simulator waits. */
  readonly reached: Promise<void>
  readonly open: () => void
  readonly fail: (error: Error) => void
}

/** A latch before every save. */
export function latchBeforeSave(): Latch {
  const reached = deferred()
  const opened = deferred()
  const override: Override = () => ({
    save: async (write) => {
      reached.resolve()
      await opened.promise
      await write()
    },
  })
  return { override, reached: reached.promise, open: opened.resolve, fail: opened.reject }
}

function deferred() {
  let resolve: () => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<void>((fulfil, fail) => {
    resolve = fulfil
    reject = fail
  })
  return { promise, resolve, reject }
}
