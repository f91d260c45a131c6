import { parse } from 'lossless-json'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const numeralBeyondDouble = /\d{16}/

/**
 * JSON value of a body, or `undefined` if it is no valid JSON or no valid UTF-8. Integers that a
 * double cannot hold become `bigint`, so that a login never changes under the eyes of the kit.
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

/** The exact parser refuses repeated members, which JSON allows. */
function exactly(text: string, rounded: unknown): unknown {
  try {
    return parse(text, undefined, exactNumber)
  } catch {
    return rounded
  }
}

function exactNumber(numeral: string): number | bigint {
  const value = Number(numeral)
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(numeral) ? value : BigInt(numeral)
}
