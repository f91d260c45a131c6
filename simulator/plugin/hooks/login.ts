import { isLosslessNumber } from 'lossless-json'
import type { PluginErrorKindId } from '../../../spec/plugin/error-kinds.ts'
import { ErrorResponse, fillIn } from '../../server/response.ts'
import { type Numeral, readNumeral } from '../model/numeral.ts'
import type { Profile } from '../profile/profile.ts'
import type { Wording } from '../profile/wording.ts'

export type LoginField = 'master' | 'follower'

/** How a login is validated and stored (clause 2.3). Each throws an ErrorResponse if the login is rejected. */
export function loginHooks(profile: Profile, { errorTexts }: Wording) {
  const reject = (kind: PluginErrorKindId, field: LoginField) =>
    new ErrorResponse(400, fillIn(errorTexts[kind], { field }))
  return {
    /** The number in the field's JSON value, as a numeral. */
    loginNumeral: (field: LoginField, value: unknown): Numeral => {
      if (!isLosslessNumber(value)) throw reject('login-no-integer', field)
      return readNumeral(value.value)
    },
    judgeLoginSpelling: (field: LoginField, { hasExponent, hasFraction, isInteger }: Numeral): void => {
      if (hasExponent && profile['plugin.login.exponent'] === 'refused') throw reject('login-exponent', field)
      if (!isInteger) throw reject('login-fractional', field)
      if (hasFraction && !hasExponent && profile['plugin.login.zero-fraction'] === 'refused')
        throw reject('login-zero-fraction', field)
    },
    judgeLoginSign: (field: LoginField, login: bigint): void => {
      if (login === 0n && profile['plugin.login.zero'] === 'refused') throw reject('login-zero', field)
      if (login < 0n && profile['plugin.login.negative'] === 'refused') throw reject('login-negative', field)
    },
    /** The login as it is stored. */
    fitLogin: (field: LoginField, login: bigint): bigint => {
      if (login < -(2n ** 63n)) throw reject('login-above-64-bits', field)
      const range = rangeOf(login)
      if (range !== null && profile[`plugin.login.${range}`] === 'refused') throw reject(`login-${range}`, field)
      return login
    },
  }
}

/** Each question covers the logins above its limit, up to the next limit. */
function rangeOf(login: bigint): 'above-31-bits' | 'above-53-bits' | 'above-64-bits' | null {
  if (login < 2n ** 31n) return null
  if (login <= 2n ** 53n) return 'above-31-bits'
  return login < 2n ** 64n ? 'above-53-bits' : 'above-64-bits'
}
