export interface RateLimitUsage {
  readonly limit: number
  readonly remaining: number
  /** The time until the count is reset. */
  readonly resetMs: number
}

const minuteMs = 60_000

export type RateLimiter = ReturnType<typeof createRateLimiter>

/** Limits the number of requests per minute. */
export function createRateLimiter(limit: number) {
  let minute = 0
  let used = 0
  return {
    /** Counts one request. `remaining` is negative if the limit is exceeded. */
    use: (nowMs: number): RateLimitUsage => {
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
