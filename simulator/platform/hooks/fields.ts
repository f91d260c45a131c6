import { isLosslessNumber } from 'lossless-json'
import { ErrorResponse } from '../../server/response.ts'
import type { TradingAccountTerms } from '../model/trading-account.ts'
import type { PlatformProfile } from '../profile/profile.ts'

type Field = keyof TradingAccountTerms

/** Default values for missing fields, if the profile accepts those. */
const chosen: Readonly<Omit<TradingAccountTerms, 'group'>> = {
  name: 'Unnamed',
  leverage: 100,
  currency: 'USD',
  balance: 0,
}

const maxNameLength = 255
const largestLeverage = 10_000
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/**
 * How the fields of a new account are validated and stored (clause 2.2). Each takes the JSON value, or
 * undefined if the field is missing, and throws an ErrorResponse if it is rejected.
 *
 * @param groups the existing groups; an account without a group gets the first
 */
export function fieldHooks(profile: PlatformProfile, groups: readonly string[]) {
  /** Throws unless the profile accepts the value. */
  const judge = (question: keyof PlatformProfile, message: string) => {
    const answer = profile[question]
    if (answer === '400' || answer === '422') throw new ErrorResponse(Number(answer), message)
  }
  const missing = <Value>(field: Field, value: Value): Value => {
    judge(`platform.create.missing-${field}`, `${field} is missing.`)
    return value
  }
  return {
    readName: (value: unknown): string => {
      if (value === undefined) return missing('name', chosen.name)
      if (isLosslessNumber(value)) judge('platform.create.name-number', 'name must be a string.')
      const name = textOf('name', value)
      if (name.trim() === '') judge('platform.create.name-empty', 'name must not be empty.')
      if (name.length > maxNameLength)
        judge('platform.create.name-long', `name must be ${maxNameLength} letters at most.`)
      return name
    },
    readGroup: (value: unknown): string => {
      if (value === undefined) return missing('group', groups[0] ?? '')
      if (isLosslessNumber(value)) {
        judge('platform.create.group-number', 'group must be a string.')
        return value.value
      }
      const group = textOf('group', value)
      if (group !== group.toLowerCase()) judge('platform.create.group-upper-case', 'group must be in lower case.')
      if (!groups.includes(group.toLowerCase())) judge('platform.create.group-unknown', 'The group does not exist.')
      return group
    },
    readLeverage: (value: unknown): number => {
      if (value === undefined) return missing('leverage', chosen.leverage)
      if (typeof value === 'string') judge('platform.create.leverage-text', 'leverage must be an integer.')
      const leverage = numberOf('leverage', value)
      if (!Number.isInteger(leverage)) judge('platform.create.leverage-decimal', 'leverage must be an integer.')
      if (leverage === 0) judge('platform.create.leverage-zero', 'leverage must be greater than 0.')
      if (leverage < 0) judge('platform.create.leverage-negative', 'leverage must be greater than 0.')
      if (leverage > largestLeverage) judge('platform.create.leverage-large', 'leverage is too large.')
      return Math.trunc(leverage)
    },
    readCurrency: (value: unknown): string => {
      if (value === undefined) return missing('currency', chosen.currency)
      const currency = textOf('currency', value)
      if (/^[A-Za-z]{2}$/.test(currency)) judge('platform.create.currency-two-letters', 'currency has three letters.')
      else if (!/^[A-Za-z]{3}$/.test(currency)) judge('platform.create.currency-symbol', 'currency has three letters.')
      else if (!currencies.has(currency.toUpperCase()))
        judge('platform.create.currency-unknown', 'currency is unknown.')
      else if (!currencies.has(currency)) judge('platform.create.currency-lower-case', 'currency is in upper case.')
      return currency
    },
    readBalance: (value: unknown): number => {
      if (value === undefined) return missing('balance', chosen.balance)
      if (value === null) {
        judge('platform.create.balance-null', 'balance must be a number.')
        return chosen.balance
      }
      if (typeof value === 'string') judge('platform.create.balance-text', 'balance must be a number.')
      const balance = numberOf('balance', value)
      if (balance < 0) judge('platform.create.balance-negative', 'balance must not be negative.')
      if (balance === 0) judge('platform.create.balance-zero', 'balance must be greater than 0.')
      const cents = Number(balance.toFixed(2))
      if (cents === balance) return balance
      judge('platform.create.balance-third-decimal', 'balance has two decimals.')
      return profile['platform.create.balance-third-decimal'] === 'rounded' ? cents : balance
    },
  }
}

function textOf(field: Field, value: unknown): string {
  if (typeof value === 'string') return value
  if (isLosslessNumber(value)) return value.value
  throw new ErrorResponse(400, `${field} must be a string.`)
}

/** The finite number in a JSON number, or in a string. */
function numberOf(field: Field, value: unknown): number {
  const text = isLosslessNumber(value) ? value.value : typeof value === 'string' ? value.trim() : ''
  const number = text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(number)) return number
  throw new ErrorResponse(400, `${field} must be a number that can be stored.`)
}
