import { ErrorResponse } from '../server/response.ts'

/** An error response with an error code, e.g. `invalid_api_key`. */
export class CodedErrorResponse extends ErrorResponse {
  readonly code: string

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(status, message, headers)
    this.code = code
  }
}

const codes: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'request_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_request',
  429: 'rate_limited',
  431: 'headers_too_large',
}

/** The code of an error response, with or without one of its own. */
export function codeOf(errorResponse: ErrorResponse): string {
  return errorResponse instanceof CodedErrorResponse
    ? errorResponse.code
    : (codes[errorResponse.status] ?? 'internal_error')
}
