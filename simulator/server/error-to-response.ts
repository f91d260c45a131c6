import type { HttpApi } from './api.ts'
import { Dropped, ErrorResponse } from './error-response.ts'
import type { HttpResponse } from './response.ts'

/**
 * The answer to a request that was not served; undefined where it gets none. What nobody foresaw
 * is logged and answered without a word about its cause.
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
