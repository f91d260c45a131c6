import { performance } from 'node:perf_hooks'

/** How long a run still takes. */
export interface TimeLeft {
  /** This check has ended. */
  done(check: string): void
  /** Null as long as it is not known. */
  leftMs(): number | null
}

/** The share of a run after which what its checks took says more than nothing. */
const tellingShare = 0.1

/**
 * Before the first check the estimate counts, at the end what the checks took, and between them both.
 *
 * @param weights of the planned checks: one of twice the weight takes about twice as long
 * @param estimatedMs null where there is no estimate
 */
export function createTimeLeft(weights: ReadonlyMap<string, number>, estimatedMs: number | null): TimeLeft {
  const startedAt = performance.now()
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  let doneWeight = 0
  let wholeMs = estimatedMs
  const passedMs = () => performance.now() - startedAt
  return {
    done(check) {
      doneWeight += weights.get(check) ?? 0
      const share = doneWeight / total
      const likeThis = passedMs() / share
      if (estimatedMs !== null) wholeMs = share * likeThis + (1 - share) * estimatedMs
      else if (share >= tellingShare) wholeMs = likeThis
    },
    leftMs: () => (wholeMs === null ? null : Math.max(0, wholeMs - passedMs())),
  }
}
