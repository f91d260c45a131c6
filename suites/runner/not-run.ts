import type { Outcome, Status } from './outcome.ts'

/** The outcome of a check that was not run, or of which nothing but its end is known. */
export function notRun(check: string, status: Exclude<Status, 'passed' | 'failed'>, message: string): Outcome {
  return {
    check,
    status,
    durationMs: 0,
    code: null,
    data: null,
    message,
    expected: null,
    actual: null,
    curl: null,
    exchanges: [],
    exchangesOmitted: 0,
    answer: null,
    stop: null,
  }
}
