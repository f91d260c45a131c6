import { isUtf8 } from 'node:buffer'
import { parse } from 'lossless-json'

const numeralBeyondDouble = /\d{16}/

/** The maximum depth of arrays and objects. A conforming response has a depth of three. */
export const maxLevels = 100

/**
 * The JSON value of a body; `undefined` if it is not valid JSON in valid UTF-8. Integers beyond the range of a double
 * become `bigint`, so that logins stay exact.
 */
export function parseJson(bytes: Buffer, decoded = bytes.toString('utf8')): unknown {
  if (!isUtf8(bytes)) return undefined
  try {
    const text = decoded.replace(/^\ufeff/, '')
    const value: unknown = JSON.parse(text)
    return numeralBeyondDouble.test(text) ? exactly(text, value) : value
  } catch {
    return undefined
  }
}

/** Whether arrays and objects are nested too deeply: a recursive function would overflow the stack. */
export function isTooDeep(value: unknown, levels = maxLevels): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1))
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The exact parser rejects duplicate members, which JSON allows. */
function exactly(text: string, rounded: unknown): unknown {
  try {
    return parse(text, undefined, exactNumber)
  } catch {
    return rounded
  }
}

/** Larger numbers are infinite as a double, and a `bigint` of millions of digits takes seconds to create. */
const maxDigits = 309

/** A JSON number; a `bigint` for an integer beyond the range of a double. */
export function exactNumber(numeral: string): number | bigint {
  const value = Number(numeral)
  if (numeral.length > maxDigits) return value
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(numeral) ? value : BigInt(numeral)
}
