import { parse } from 'lossless-json'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const numeralBeyondDouble = /\d{16}/

/**
 * JSON value of a body; `undefined` if it is not valid JSON in valid UTF-8. Integers that a double
 * cannot hold become `bigint`, so that logins stay exact.
 */
export function parseJson(bytes: Buffer): unknown {
  try {
    const text = utf8.decode(bytes)
    const value: unknown = JSON.parse(text)
    return numeralBeyondDouble.test(text) ? exactly(text, value) : value
  } catch {
    return undefined
  }
}

/** The exact parser rejects repeated members, which JSON allows. */
function exactly(text: string, rounded: unknown): unknown {
  try {
    return parse(text, undefined, exactNumber)
  } catch {
    return rounded
  }
}

/** A number of JSON; a `bigint` for an integer that a double cannot hold. */
export function exactNumber(numeral: string): number | bigint {
  const value = Number(numeral)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(numeral) ? value : BigInt(numeral)
}
