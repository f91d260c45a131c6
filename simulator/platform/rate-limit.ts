/** How many requests may come in a minute, and how many of them are left. */
export interface Allowance {
  /** Counts one request. `left` is below 0 where it was one too many. */
  readonly use: (nowMs: number) => Usage
  /** Begins to count anew. */
  readonly forget: () => void
}

export interface Usage {
  readonly limit: number
  readonly left: number
  /** Until the count begins anew. */
  readonly resetMs: number
}

const minuteMs = 60_000

export function allowanceOf(limit: number): Allowance {
  let minute = 0
  let used = 0
  return {
    use: (nowMs) => {
      const present = Math.floor(nowMs / minuteMs)
      if (present !== minute) used = 0
      minute = present
      used++
      return { limit, left: limit - used, resetMs: (minute + 1) * minuteMs - nowMs }
    },
    forget: () => {
      used = 0
    },
  }
}
