import type { ErrorResponse, Rejection, RequestPart } from './error-response.ts'

/** The sender of a request, and what may be disclosed to it. */
export type Caller = ReturnType<typeof createCaller>

export function createCaller(
  authorized: boolean,
  disclosedWithoutAuth: readonly RequestPart[],
  unauthorized: () => ErrorResponse,
) {
  const isDisclosed = (part?: RequestPart) => authorized || (part !== undefined && disclosedWithoutAuth.includes(part))
  return {
    authorized,
    /** Throws the rejection, or 401 if the rejection must not be disclosed to this caller. */
    reject: (part: RequestPart, errorResponse: Rejection): never => {
      throw isDisclosed(part) ? errorResponse : unauthorized()
    },
    /** Throws 401 unless the caller is authorized, or the part may be disclosed without authentication. */
    requireAuthorization: (part?: RequestPart) => {
      if (!isDisclosed(part)) throw unauthorized()
    },
  }
}
