import { FailedExpectation } from './failure.ts'

/** Adds to a failure what was sent before it. */
export async function after(what: string, look: () => Promise<void>): Promise<void> {
  try {
    await look()
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    throw error.with({ after: what })
  }
}
