import { parse } from 'lossless-json'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const numeralBeyondDouble = /\d{16}/

/** The most levels of arrays and objects that are read. A conforming response has three. */
export const mostLevels = 100

/**
 * JSON value of a body; `undefined` if it is not valid JSON in valid UTF-8, or too deep. Integers that
 * a double cannot hold become `bigint`, so that logins stay exact.
 */
export function parseJson(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) return undefined
  try {
    const text = utf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return numeralBeyondDouble.test(text) ? exactly(text, value) : value
  } catch {
    return undefined
  }
}

/** Whether arrays and objects are nested too deeply: a recursive function would exhaust the stack. */
export function isTooDeep(bytes: Buffer): boolean {
  let levels = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === signs.quote) isInString = !isInString
    else if (isInString) at += byte === signs.backslash ? 1 : 0
    else if (byte === signs.openArray || byte === signs.openObject) levels += 1
    else if (byte === signs.closeArray || byte === signs.closeObject) levels -= 1
    if (levels > mostLevels) return true
  }
  return false
}

const signs = { quote: 0x22, backslash: 0x5c, openArray: 0x5b, closeArray: 0x5d, openObject: 0x7b, closeObject: 0x7d }

/** The exact parser rejects repeated members, which JSON allows. */
function exactly(text: string, rounded: unknown): unknown {
  try {
    return parse(text, undefined, exactNumber)
  } catch {
    return rounded
  }
}

/** Larger numbers are infinite as a double. A `bigint` of millions of digits takes seconds to make. */
const mostDigits = 309

/** A number of JSON; a `bigint` for an integer that a double cannot hold. */
export function exactNumber(numeral: string): number | bigint {
  const value = Number(numeral)
  if (numeral.length > mostDigits) return value
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(numeral) ? value : BigInt(numeral)
}
