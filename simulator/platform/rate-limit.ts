/** Limits the number of requests per minute. */
export interface RateLimiter {
  /** Counts one request. `remaining` is negative if the limit is exceeded. */
  readonly use: (nowMs: number) => RateLimitUsage
  readonly reset: () => void
}

export interface RateLimitUsage {
  readonly limit: number
  readonly remaining: number
  /** The time until the count is reset. */
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
