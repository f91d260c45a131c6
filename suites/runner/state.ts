import type { FailedExpectation } from '../assertions/failure.ts'
import type { Stop } from './outcome.ts'

/** Why a server is sent no more requests. */
export interface Stopped {
  readonly cause: Stop
  readonly reason: string
  /** Set if the server itself stopped responding. */
  readonly failure?: FailedExpectation
}

/** What a run has shown about a server that affects later checks. */
export type RunState = Readonly<typeof initialState>

export const initialState = {
  /** Why it can no longer be judged; null while it can. */
  stopped: null as Stopped | null,
  /** The number of consecutive checks that ended because it hung. */
  hangs: 0,
  /** Whether connections broke that did not break again when a check was repeated. */
  badNetwork: false,
}

/** Notes what a check has shown. The first reason to stop stays. */
export function note(run: { state: RunState }, shown: Partial<RunState>): void {
  run.state = { ...run.state, ...shown, stopped: run.state.stopped ?? shown.stopped ?? null }
}
