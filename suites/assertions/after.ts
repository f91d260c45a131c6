import { FailedExpectation } from './failure.ts'

/** Adds to a failure what was sent or done before it. */
export async function after<Result>(what: string, look: () => Promise<Result>): Promise<Result> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof FailedExpectation)) throw error
    throw error.with({ after: what })
  }
}
