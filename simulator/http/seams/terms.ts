import { isLosslessNumber } from 'lossless-json'
import { type Direction, directions, type Mode, modes } from '../../model/rule.ts'
import type { Profile } from '../../profile/profile.ts'
import { Refusal } from '../../server/refusal.ts'

/** How mode, value and direction are judged (clause 4.2). Each throws a Refusal where it is not accepted. */
export interface TermsSeams {
  /** `multiplier` is an alias of `mult`. */
  readonly readMode: (value: unknown) => Mode
  /** The value as a double; Infinity where no double can hold it. */
  readonly readValue: (value: unknown) => number
  /** The value as it is kept. */
  readonly fitValue: (value: number) => number
  readonly readDirection: (value: unknown) => Direction
}

/** The sizes that the questions about small and large values ask for, with room to spare. */
const tiny = 1e-8
const huge = 1e12

export function termsSeams(profile: Profile): TermsSeams {
  return {
    readMode: (value) => {
      const mode = value === 'multiplier' ? 'mult' : modes.find((known) => known === value)
      if (mode === undefined) throw new Refusal(400, 'mode must be "mult", "multiplier" or "fixed".')
      return mode
    },
    readValue: (value) => {
      const number = isLosslessNumber(value) ? Number(value.value) : Number.NaN
      if (Number.isNaN(number)) throw new Refusal(400, 'value must be a number.')
      if (number <= 0) throw new Refusal(400, 'value must be greater than 0.')
      return number
    },
    fitValue: (value) => fitValue(profile, value),
    readDirection: (value) => {
      const direction = directions.find((known) => known === value)
      if (direction === undefined) throw new Refusal(400, 'direction must be "same" or "reverse".')
      return direction
    },
  }
}

function fitValue(profile: Profile, value: number): number {
  const smallest = profile['plugin.value.smallest']
  if (value === Number.POSITIVE_INFINITY) {
    if (profile['plugin.value.overflow'] === 'accepted') return Number.MAX_VALUE
    throw new Refusal(400, 'value is too large to be kept.')
  }
  if (value >= huge && profile['plugin.value.largest'] === 'refused') throw new Refusal(400, 'value is too large.')
  if (value < tiny && smallest === 'refused') throw new Refusal(400, 'value is too small.')
  return value
}
