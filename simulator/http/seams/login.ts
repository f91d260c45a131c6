import { isLosslessNumber } from 'lossless-json'
import type { Profile } from '../../profile/profile.ts'
import { Refusal } from '../../server/refusal.ts'
import { type Numeral, readNumeral } from '../numeral.ts'

export type LoginField = 'master' | 'follower'

/** How a login is judged and kept (clause 2.3). Each throws a Refusal where the login is not accepted. */
export interface LoginSeams {
  /** The numeral of the field's JSON value. */
  readonly loginNumeral: (field: LoginField, value: unknown) => Numeral
  readonly judgeLoginSpelling: (field: LoginField, numeral: Numeral) => void
  readonly judgeLoginSign: (field: LoginField, login: bigint) => void
  /** The login as it is kept: whole, cut down, or not at all. */
  readonly fitLogin: (field: LoginField, login: bigint) => bigint
}

export function loginSeams(profile: Profile): LoginSeams {
  return {
    loginNumeral: (field, value) => {
      if (!isLosslessNumber(value)) throw new Refusal(400, `${field} must be an integer.`)
      return readNumeral(value.value)
    },
    judgeLoginSpelling: (field, { hasExponent, hasFraction, isInteger }) => {
      const refuse = (matter: string) => new Refusal(400, `${field} must be an integer ${matter}.`)
      if (hasExponent && profile['plugin.login.exponent'] === 'refused') throw refuse('without an exponent')
      if (!isInteger && profile['plugin.login.fractional'] === 'refused') throw refuse('without a fraction')
      const emptyFraction = isInteger && hasFraction && !hasExponent
      if (emptyFraction && profile['plugin.login.zero-fraction'] === 'refused') throw refuse('without a fraction')
    },
    judgeLoginSign: (field, login) => {
      if (login === 0n && profile['plugin.login.zero'] === 'refused') throw new Refusal(400, `${field} must not be 0.`)
      if (login < 0n && profile['plugin.login.negative'] === 'refused') {
        throw new Refusal(400, `${field} must not be negative.`)
      }
    },
    fitLogin: (field, login) => {
      const refuse = () => new Refusal(400, `${field} is out of range: it is no login that can be kept.`)
      if (login < -(2n ** 63n)) throw refuse()
      const keep = fits[rangeAnswer(profile, login)]
      if (keep === undefined) throw refuse()
      return keep(login)
    },
  }
}

type RangeAnswer = 'exact' | 'refused' | 'rounded'

/** Each question is about the logins above its limit and below the next one. */
function rangeAnswer(profile: Profile, login: bigint): RangeAnswer {
  if (login < 2n ** 31n) return 'exact'
  if (login <= 2n ** 53n) return profile['plugin.login.above-31-bits']
  if (login < 2n ** 64n) return profile['plugin.login.above-53-bits']
  return profile['plugin.login.above-64-bits']
}

const fits: Readonly<Record<RangeAnswer, ((login: bigint) => bigint) | undefined>> = {
  exact: (login) => login,
  refused: undefined,
  rounded: (login) => BigInt(Number(login)),
}
