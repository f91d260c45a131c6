import { isUtf8 } from 'node:buffer'
import { parse } from 'lossless-json'

const numeralBeyondDouble = /\d(?:\.?\d){15}/

/** The maximum depth of arrays and objects. A conforming response has a depth of three. */
export const maxLevels = 100

/** The JSON of a body; `undefined` if it is not valid JSON in valid UTF-8. Large integers become `bigint`. */
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

/** Deep nesting overflows the stack of the exact parser. Of a duplicate member both parsers keep the last value. */
function exactly(text: string, rounded: unknown): unknown {
  try {
    return parse(text, undefined, { parseNumber: exactNumber, onDuplicateKey: ({ newValue }) => newValue })
  } catch {
    return rounded
  }
}

/** Larger numbers are infinite as a double, and a `bigint` of millions of digits takes seconds to create. */
const maxDigits = 309

/** A JSON number; a `bigint` for an integer beyond the range of a double, in any spelling: `9007199254740993.0`. */
export function exactNumber(numeral: string): number | bigint {
  const value = Number(numeral)
  if (numeral.length > maxDigits || !Number.isFinite(value) || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value
  const digits = integerDigits(numeral)
  return digits === null ? value : BigInt(digits)
}

/** The digits of a number that is an integer, without fraction and exponent; null for any other number. */
function integerDigits(numeral: string): string | null {
  const [, whole = '', fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(numeral) ?? []
  const zeros = Number(exponent) - fraction.length
  const digits = whole + fraction
  if (zeros >= 0) return digits + '0'.repeat(zeros)
  return /^0*$/.test(digits.slice(zeros)) ? digits.slice(0, zeros) : null
}
