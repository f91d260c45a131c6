import { isLosslessNumber } from 'lossless-json'
import { ErrorResponse } from '../../server/response.ts'
import { type Direction, directions, type Mode, modes } from '../model/rule.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

/** Beyond the sizes in the questions about small and large values. */
const tiny = 1e-8
const huge = 1e12

/** How mode, value and direction are validated (clause 4.2). Each throws an ErrorResponse if it is rejected. */
export function fieldHooks(profile: Profile, { errorTexts }: Wording) {
  const unlisted = (field: 'mode' | 'direction', value: unknown) =>
    new ErrorResponse(400, errorTexts[`${field}-${typeof value === 'string' ? 'unknown' : 'no-string'}`])
  return {
    /** `multiplier` is an alias of `mult`. */
    readMode: (value: unknown): Mode => {
      const mode = value === 'multiplier' ? 'mult' : modes.find((known) => known === value)
      if (mode === undefined) throw unlisted('mode', value)
      return mode
    },
    /** The value as a double; Infinity if it is out of range. */
    readValue: (value: unknown): number => {
      const number = isLosslessNumber(value) ? Number(value.value) : Number.NaN
      if (Number.isNaN(number)) throw new ErrorResponse(400, errorTexts['value-no-number'])
      if (number <= 0) throw new ErrorResponse(400, errorTexts['value-not-positive'])
      return number
    },
    /** The value as it is stored. */
    fitValue: (value: number): number => {
      if (value === Number.POSITIVE_INFINITY) {
        if (profile['plugin.value.overflow'] === 'accepted') return Number.MAX_VALUE
        throw new ErrorResponse(400, errorTexts['value-overflow'])
      }
      if (value >= huge && profile['plugin.value.largest'] === 'refused')
        throw new ErrorResponse(400, errorTexts['value-largest'])
      if (value < tiny && profile['plugin.value.smallest'] === 'refused')
        throw new ErrorResponse(400, errorTexts['value-smallest'])
      return value
    },
    readDirection: (value: unknown): Direction => {
      const direction = directions.find((known) => known === value)
      if (direction === undefined) throw unlisted('direction', value)
      return direction
    },
  }
}
