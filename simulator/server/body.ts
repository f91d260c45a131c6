import { ErrorResponse } from './error-response.ts'

/** The members of a JSON object: numerals as `LosslessNumber`, so that no digit is lost. */
export type Members = Readonly<Record<string, unknown>>

/** @throws Refusal, with this text, where the bytes are no UTF-8. */
export function decodeText(bytes: Uint8Array, errorResponse = 'Invalid JSON: the body is not UTF-8.'): string {
  try {
    return decode(bytes, true)
  } catch {
    throw new ErrorResponse(400, errorResponse)
  }
}

/** Like `decodeText`, with a sign in place of each byte that is no UTF-8. */
export function replaceText(bytes: Uint8Array): string {
  return decode(bytes, false)
}

/** The name is misleading: `ignoreBOM` keeps the mark in the text. */
function decode(bytes: Uint8Array, fatal: boolean): string {
  return new TextDecoder('utf-8', { fatal, ignoreBOM: true }).decode(bytes)
}

/** @throws Refusal, with this text, where the JSON value has no members. */
export function membersOf(value: unknown, errorResponse = 'The body must be a JSON object.'): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'isLosslessNumber' in value) {
    throw new ErrorResponse(400, errorResponse)
  }
  return value as Members
}
