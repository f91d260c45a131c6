import { paintFor } from '../../reports/paint.ts'
import type { ExpectedAnswers } from '../../suites/runner/evidence.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { type CheckThread, runInWorker } from '../../suites/runner/run-in-worker.ts'
import { roundTripsOf } from './plugin/estimates.ts'
import { reporters } from './reporters.ts'
import type { ReadySession } from './session.ts'

interface ChecksOptions {
  readonly see?: (outcome: Outcome) => void
  /** Default: outcomes keep all evidence. */
  readonly expectedAnswers?: ExpectedAnswers
  /** Default: no estimate. */
  readonly estimatedMs?: number | null
}

/** Runs the planned checks in a worker thread and shows the progress. */
export async function runChecks(
  { apis, planned, settings, driver, options, signal, shared }: ReadySession,
  thread: CheckThread,
  { see, expectedAnswers = null, estimatedMs = null }: ChecksOptions = {},
): Promise<readonly Outcome[]> {
  const stream = process.stdout
  const isListed = options.reporter === 'list'
  // The others are known to be out of scope and take no time.
  const inScope = planned.filter(({ outOfScope }) => outOfScope === null)
  const shown = new Set((isListed ? planned : inScope).map(({ id }) => id))
  const timeLeft = createTimeLeft(new Map(inScope.map(({ id }) => [id, roundTripsOf(id)])), estimatedMs)
  const titles = new Map(apis.flatMap(({ api }) => api.cases).map(({ id, title }) => [id, title]))
  const shows = { stream, paint: paintFor(stream), total: shown.size, titles, timeLeft }
  const progress = reporters[options.reporter](shows)
  const { lifeCycle, thorough, timeoutMs, maxRequestsPerSecond } = options
  // Only ends checks that hang. Steps of a person can take all day, and hooks have their own limit.
  const onceMs = lifeCycle === null ? 300_000 : lifeCycle.manual ? 86_400_000 : 3_600_000
  const pauseMs = Math.ceil(1_000 / (maxRequestsPerSecond ?? Number.POSITIVE_INFINITY))
  const onOutcome = (outcome: Outcome) => {
    if (shown.has(outcome.check)) progress.show(outcome)
    see?.(outcome)
  }
  try {
    return await runInWorker({
      ...{ thread, settings, plan: planned, driver, expectedAnswers, signal, onOutcome },
      ...{ checkTimeoutMs: 2 * onceMs * thorough + timeoutMs + pauseMs },
      ...{ jobs: options.jobs, redact: shared.redact, readsOnly: apis.every(({ risk }) => risk === 'read') },
    })
  } finally {
    progress.end?.()
  }
}

/** The share of the run after which the time that its checks took is meaningful. */
const reliableShare = 0.1

/**
 * Estimates the remaining time: from the estimate, if any, and increasingly from the time that checks took. A check
 * with twice the weight takes about twice as long.
 */
export function createTimeLeft(weights: ReadonlyMap<string, number>, estimatedMs: number | null) {
  const startedAt = performance.now()
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  let doneWeight = 0
  let wholeMs = estimatedMs
  const passedMs = () => performance.now() - startedAt
  return {
    done(check: string) {
      doneWeight += weights.get(check) ?? 0
      const share = doneWeight / total
      const likeThis = passedMs() / share
      if (estimatedMs !== null) wholeMs = share * likeThis + (1 - share) * estimatedMs
      else if (share >= reliableShare) wholeMs = likeThis
    },
    /** Null while unknown. */
    leftMs: () => (wholeMs === null ? null : Math.max(0, wholeMs - passedMs())),
  }
}
