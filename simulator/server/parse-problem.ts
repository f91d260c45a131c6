import type { ParseProblem } from './api.ts'
import { ErrorResponse } from './error-response.ts'

const problems: Readonly<Record<ParseProblem, readonly [number, string]>> = {
  malformed: [400, 'Bad request: this is not valid HTTP.'],
  'headers-too-large': [431, 'The header fields are too large.'],
  'timed-out': [408, 'The request did not arrive in time.'],
}

/** What a client is told whose request the HTTP parser gave up. */
export function parseProblemResponse(problem: ParseProblem): ErrorResponse {
  return new ErrorResponse(...problems[problem])
}
