import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when the next request may be sent. */
export type Pace = () => Promise<void>

/** Spaces requests evenly to stay within the rate limit. */
export function createPace(maxRequestsPerSecond: number): Pace {
  const intervalMs = 1000 / maxRequestsPerSecond
  let nextAt = 0
  return async () => {
    const now = performance.now()
    const waitMs = nextAt - now
    nextAt = Math.max(now, nextAt) + intervalMs
    if (waitMs > 0) await delay(waitMs)
  }
}
