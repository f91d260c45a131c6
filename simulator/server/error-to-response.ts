import type { HttpApi } from './api.ts'
import { Dropped, ErrorResponse } from './error-response.ts'
import type { HttpResponse } from './response.ts'

/**
 * The response to a request that failed; undefined if it gets none. An unexpected error is logged, and the response
 * does not mention its cause.
 */
export function errorToResponse(
  error: unknown,
  { renderError, unexpected, log }: Pick<HttpApi, 'renderError' | 'unexpected' | 'log'>,
): HttpResponse | undefined {
  if (error instanceof Dropped) return undefined
  if (error instanceof ErrorResponse) return renderError(error)
  log({ level: 'error', event: 'unexpected-error', reason: error instanceof Error ? error.stack : String(error) })
  return renderError(unexpected(error))
}
