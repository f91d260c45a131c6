/** The time as a simulator sees it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Stops the clock, now or at a moment. @throws InvalidTimeError */
  readonly freeze: (at?: Date) => void
  /** Moves the clock, frozen or not, by so many milliseconds; backwards where negative. @throws InvalidTimeError */
  readonly advance: (ms: number) => void
  /** Back to the time that it began with. */
  readonly reset: () => void
  readonly isFrozen: () => boolean
}

/** There is no such moment. */
export class InvalidTimeError extends Error {
  override readonly name = 'InvalidTimeError'
  readonly hint = 'Give a valid Date, such as new Date("2026-11-21T00:00:00Z"), or whole milliseconds.'
}

/** A clock that goes with the time of the machine, or with another one. */
export function createClock(machine: () => number = () => Date.now()): Clock {
  let shiftMs = 0
  let frozenAt: number | undefined
  const now = () => (frozenAt ?? machine()) + shiftMs
  return {
    now,
    freeze: (at) => {
      frozenAt = checkMoment(at?.getTime() ?? now())
      shiftMs = 0
    },
    advance: (ms) => {
      checkMoment(now() + ms)
      shiftMs += ms
    },
    reset: () => {
      shiftMs = 0
      frozenAt = undefined
    },
    isFrozen: () => frozenAt !== undefined,
  }
}

function checkMoment(ms: number): number {
  if (!Number.isNaN(new Date(ms).getTime())) return ms
  throw new InvalidTimeError('The clock cannot be set to a moment that no calendar has.')
}
