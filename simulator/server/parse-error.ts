import { METHODS } from 'node:http'
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

/** A request line with a method that the parser does not know. */
export interface UnknownMethodRequest {
  readonly method: string
  /** Whether the method in upper case is a known HTTP method. */
  readonly isKnownInUpperCase: boolean
  /** Everything after the method. */
  readonly rest: Buffer
}

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) \S+ HTTP\/1\.[01]\r?\n/

/** The request, if it was rejected because of its method; otherwise undefined. */
export function unknownMethodRequest({
  code,
  rawPacket,
  bytesParsed = 0,
}: ParserError): UnknownMethodRequest | undefined {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return undefined
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1
  const request = rawPacket.subarray(start)
  const method = requestLine.exec(request.toString('latin1'))?.[1]
  if (method === undefined) return undefined
  const upper = method.toUpperCase()
  return {
    method,
    isKnownInUpperCase: upper !== method && METHODS.includes(upper),
    rest: request.subarray(method.length),
  }
}
