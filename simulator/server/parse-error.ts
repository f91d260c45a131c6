import type { ParseProblem } from './api.ts'
import { ErrorResponse } from './error-response.ts'

/** The fields that Node adds to errors of its HTTP parser. */
export interface ParserError extends Error {
  readonly code?: string
  /** How much of the packet was parsed. */
  readonly bytesParsed?: number
  /** The bytes that arrived last, which contain the error. */
  readonly rawPacket?: Buffer
}

export function parseProblem({ code }: ParserError): ParseProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers-too-large'
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'timed-out' : 'malformed'
}

const problems: Readonly<Record<ParseProblem, readonly [number, string]>> = {
  malformed: [400, 'Bad request: this is not valid HTTP.'],
  'headers-too-large': [431, 'The header fields are too large.'],
  'timed-out': [408, 'The request did not arrive in time.'],
}

export function parseProblemResponse(problem: ParseProblem): ErrorResponse {
  return new ErrorResponse(...problems[problem])
}
