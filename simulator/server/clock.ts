import { InvalidOptionError } from './check-option.ts'

/** The clock of a simulator. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  readonly now: () => number
  /** Stops the clock at the current time, or at `at`. @throws InvalidOptionError */
  readonly freeze: (at?: Date) => void
  /** Moves the clock, frozen or not; a negative number moves it back. @throws InvalidOptionError */
  readonly advance: (ms: number) => void
  /** Undoes `freeze` and `advance`. */
  readonly reset: () => void
  readonly isFrozen: () => boolean
}

/** A clock that follows the system time, or `machine`. */
export function createClock(machine: () => number = () => Date.now()): Clock {
  let shiftMs = 0
  let frozenAt: number | undefined
  const now = () => (frozenAt ?? machine()) + shiftMs
  return {
    now,
    freeze: (at) => {
      frozenAt = checkMoment(at === undefined ? now() : Number(at))
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
  throw new InvalidOptionError('The time of the clock', 'a valid Date, or whole milliseconds')
}
