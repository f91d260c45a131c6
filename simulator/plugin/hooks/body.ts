import { isLosslessNumber } from 'lossless-json'
import type { PluginErrorKindId } from '../../../spec/plugin/error-kinds.ts'
import { decodeText, type Members, membersOf, readJson } from '../../server/json.ts'
import { ErrorResponse } from '../../server/response.ts'
import { type Numeral, readNumeral } from '../model/numeral.ts'
import { type Direction, directions, type Mode, modes, type Rule, ruleMembers } from '../model/rule.ts'
import type { Profile } from '../profile/profile.ts'
import { fillIn, type Wording } from '../profile/wording.ts'

/** How the body of a request is read (clause 4.2, 8). */
export function bodyHooks(profile: Profile, { errorTexts }: Wording) {
  return {
    /** Judges the Content-Type of a POST. */
    judgeContentType: (contentType: string | undefined): ErrorResponse | undefined => {
      const media = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
      if (media === 'application/json') return undefined
      const kind = media === '' ? 'content-type-absent' : 'content-type-wrong'
      const answer = profile[`plugin.body.${kind}`]
      return answer === 'accepted' ? undefined : new ErrorResponse(Number(answer), errorTexts[kind])
    },
    /** @throws ErrorResponse if the bytes are not valid UTF-8 */
    decodeText: (bytes: Uint8Array): string =>
      profile['plugin.body.invalid-utf-8'] === 'refused'
        ? decodeText(bytes, errorTexts['invalid-utf-8'])
        : Buffer.from(bytes).toString(),
    stripByteOrderMark: (text: string): string =>
      profile['plugin.body.byte-order-mark'] === 'accepted' ? text.replace(/^\uFEFF/, '') : text,
    /** @throws ErrorResponse if the text is not valid JSON */
    parseJson: (text: string): unknown => readJson(text, profile['plugin.body.duplicate-member'], errorTexts),
    /** @throws ErrorResponse if the value is not a JSON object */
    membersOf: (value: unknown): Members => {
      const members = membersOf(value, errorTexts['no-object'])
      return profile['plugin.body.member-case'] === 'sensitive' ? members : withKnownNames(members)
    },
    judgeMemberNames: (names: readonly string[]): ErrorResponse | undefined =>
      profile['plugin.body.unknown-member'] === 'ignored' || names.every((name) => ruleMembers.includes(name))
        ? undefined
        : new ErrorResponse(400, errorTexts['unknown-member']),
    /** The value of a field. @throws ErrorResponse if it is missing */
    fieldOf: (members: Members, field: keyof Rule): unknown => {
      // Own members only, without inherited ones such as `constructor`.
      if (!Object.hasOwn(members, field)) throw new ErrorResponse(400, fillIn(errorTexts['missing-field'], { field }))
      return members[field]
    },
    /** Judges the body of a DELETE. */
    judgeDeleteBody: (bytes: Uint8Array): ErrorResponse | undefined =>
      profile['plugin.body.on-delete'] === 'ignored' || bytes.length === 0
        ? undefined
        : new ErrorResponse(400, errorTexts['body-on-delete']),
  }
}

/** Fields in any case get the name of the field. */
function withKnownNames(members: Members): Members {
  const known = (name: string) => (ruleMembers.includes(name.toLowerCase()) ? name.toLowerCase() : name)
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [known(name), member]))
}

/** Beyond the sizes in the questions about small and large values. */
const tiny = 1e-8
const huge = 1e12

/** How mode, value and direction are validated (clause 4.2). Each throws an ErrorResponse if it is rejected. */
export function fieldHooks(profile: Profile, { errorTexts }: Wording) {
  return {
    /** `multiplier` is an alias of `mult`. */
    readMode: (value: unknown): Mode => {
      const mode = value === 'multiplier' ? 'mult' : modes.find((known) => known === value)
      if (mode === undefined) throw new ErrorResponse(400, errorTexts['mode-unknown'])
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
      if (direction === undefined) throw new ErrorResponse(400, errorTexts['direction-unknown'])
      return direction
    },
  }
}

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
      const emptyFraction = isInteger && hasFraction && !hasExponent
      if (emptyFraction && profile['plugin.login.zero-fraction'] === 'refused')
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
