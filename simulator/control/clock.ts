/** The time as a simulator sees it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Stops the clock, now or at a moment. */
  readonly freeze: (at?: Date) => void
  /** Moves the clock, frozen or not, by so many milliseconds; backwards where negative. */
  readonly advance: (ms: number) => void
  /** Back to the time of the machine. */
  readonly reset: () => void
  readonly isFrozen: () => boolean
}

export function createClock(): Clock {
  let shiftMs = 0
  let frozenAt: number | undefined
  const now = () => (frozenAt ?? Date.now()) + shiftMs
  return {
    now,
    freeze: (at) => {
      frozenAt = at?.getTime() ?? now()
      shiftMs = 0
    },
    advance: (ms) => {
      shiftMs += ms
    },
    reset: () => {
      shiftMs = 0
      frozenAt = undefined
    },
    isFrozen: () => frozenAt !== undefined,
  }
}
