/** How many requests may come in a minute, and how many of them are left. */
export interface RateLimiter {
  /** Counts one request. `left` is below 0 where it was one too many. */
  readonly use: (nowMs: number) => RateLimitUsage
  /** Begins to count anew. */
  readonly reset: () => void
}

export interface RateLimitUsage {
  readonly limit: number
  readonly remaining: number
  /** Until the count begins anew. */
  readonly resetMs: number
}

const minuteMs = 60_000

export function createRateLimiter(limit: number): RateLimiter {
  let minute = 0
  let used = 0
  return {
    use: (nowMs) => {
      const present = Math.floor(nowMs / minuteMs)
      if (present !== minute) used = 0
      minute = present
      used++
      return { limit, remaining: limit - used, resetMs: (minute + 1) * minuteMs - nowMs }
    },
    reset: () => {
      used = 0
    },
  }
}
