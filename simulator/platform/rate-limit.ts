const minuteMs = 60_000

export type RateLimiter = ReturnType<typeof createRateLimiter>
export type RateLimitUsage = ReturnType<RateLimiter['use']>

/** Limits the number of requests per minute. */
export function createRateLimiter(limit: number) {
  let minute = 0
  let used = 0
  return {
    /** Counts one request. `remaining` is negative if the limit is exceeded; after `resetMs` the count is reset. */
    use: (nowMs: number) => {
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
