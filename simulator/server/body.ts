import { ErrorResponse } from './error-response.ts'

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
