import { parse, stringify } from 'lossless-json'
import { ErrorResponse, type Json } from './response.ts'

const defaultTexts = { 'invalid-json': 'Invalid JSON.', 'duplicate-member': 'The body names a member twice.' }

/** The parser is recursive: without a limit, deep nesting would overflow the stack. */
const maxDepth = 200

/**
 * Parses JSON strictly (RFC 8259), with numbers as `LosslessNumber`. A member called `__proto__` is an ordinary member.
 * `duplicate` says which of two values of a duplicate member is used.
 * @throws ErrorResponse (400) whose message quotes nothing of the body, since it may contain a secret
 */
export function readJson(text: string, duplicate: 'last' | 'first' | 'refused', texts = defaultTexts): unknown {
  if (tooDeep(text)) throw new ErrorResponse(400, `Invalid JSON: nested deeper than ${maxDepth} levels.`)
  try {
    return parse(text, null, {
      onDuplicateKey: ({ oldValue, newValue }) => {
        if (duplicate === 'refused') throw new ErrorResponse(400, texts['duplicate-member'])
        return duplicate === 'first' ? oldValue : newValue
      },
    })
  } catch (error) {
    throw error instanceof ErrorResponse ? error : new ErrorResponse(400, texts['invalid-json'])
  }
}

/** The members of a JSON object. Numbers are `LosslessNumber`, so that no digit is lost. */
export type Members = Readonly<Record<string, unknown>>

/** @throws ErrorResponse with this message if the bytes are not valid UTF-8 */
export function decodeText(bytes: Uint8Array, errorResponse = 'Invalid JSON: the body is not UTF-8.'): string {
  try {
    // Despite its name, `ignoreBOM` keeps the byte order mark in the text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ErrorResponse(400, errorResponse)
  }
}

/** @throws ErrorResponse with this message if the value is not a JSON object */
export function membersOf(value: unknown, errorResponse = 'The body must be a JSON object.'): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'isLosslessNumber' in value) {
    throw new ErrorResponse(400, errorResponse)
  }
  return value as Members
}

/** A number, or a bigint if a number would lose digits, as with a long login. */
export function exactNumber(numeral: string): number | bigint {
  const number = Number(numeral)
  return /^-?\d+$/.test(numeral) && !Number.isSafeInteger(number) ? BigInt(numeral) : number
}

/** Writes JSON. A bigint is written with all its digits. */
export function writeJson(value: Json): Uint8Array {
  return Buffer.from((hasBigint(value) ? stringify(value) : JSON.stringify(value)) ?? 'null')
}

/** `JSON.stringify` throws for a bigint. Without one it is several times faster than the library. */
function hasBigint(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  return Object.values(value).some(hasBigint)
}

function tooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString && character === '\\') index++
    else if (character === '"') inString = !inString
    else if (!inString && (character === '[' || character === '{')) depth++
    else if (!inString && (character === ']' || character === '}')) depth--
    if (depth > maxDepth) return true
  }
  return false
}
