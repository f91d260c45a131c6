import type { FailedExpectation } from '../assertions/failure.ts'
import type { Seen } from '../session/session.ts'
import type { Stop } from './outcome.ts'

/** Why a server is sent no more requests. */
export interface Stopped {
  readonly cause: Stop
  readonly reason: string
  /** Set if the server itself stopped responding. */
  readonly failure?: FailedExpectation
}

/** What a run has shown about a server that affects later checks. */
export interface RunState {
  /** Why it can no longer be judged; null while it can. */
  readonly stopped: Stopped | null
  /** The number of consecutive checks that ended because it hung. */
  readonly hangs: number
  /** Whether connections broke that did not break again when a check was repeated. */
  readonly badNetwork: boolean
}

export const nothingSeen: Seen = { blockingFailure: null, unrequestedChange: null, malformedError: null }

/** The first finding of each kind, in the given order. */
export function firstSeen(...all: readonly Seen[]): Seen {
  const first = (kind: keyof Seen) => all.find((seen) => seen[kind] !== null)?.[kind] ?? null
  return {
    blockingFailure: first('blockingFailure'),
    unrequestedChange: first('unrequestedChange'),
    malformedError: first('malformedError'),
  }
}

export const initialState: RunState = { stopped: null, hangs: 0, badNetwork: false }

export type RunEvent =
  | { readonly kind: 'passed' | 'hung' | 'disconnected' | 'broken by chance' }
  | { readonly kind: 'stopped'; readonly stopped: Stopped }

/** Notes an event of a run. */
export function note(run: { state: RunState }, event: RunEvent): void {
  run.state = reduce(run.state, event)
}

/** The state after an event. The first reason to stop stays. */
export function reduce(state: RunState, event: RunEvent): RunState {
  switch (event.kind) {
    case 'passed':
    case 'disconnected':
      return { ...state, hangs: 0 }
    case 'hung':
      return { ...state, hangs: state.hangs + 1 }
    case 'broken by chance':
      return { ...state, badNetwork: true }
    case 'stopped':
      return { ...state, stopped: state.stopped ?? event.stopped }
  }
}
