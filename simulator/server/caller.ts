import type { ErrorResponse, Rejection, RequestPart } from './error-response.ts'

/** The sender of a request, and what may be disclosed to it. */
export interface Caller {
  readonly authorized: boolean
  /** Throws the rejection, or 401 if the rejection must not be disclosed to this caller. */
  readonly reject: (part: RequestPart, errorResponse: Rejection) => never
  /** Throws 401 unless the caller is authorized, or the part may be disclosed without authentication. */
  readonly requireAuthorization: (part?: RequestPart) => void
}

/** A caller, from the result of the key check and the concerns that are disclosed without authentication. */
export function createCaller(
  authorized: boolean,
  disclosedWithoutAuth: readonly RequestPart[],
  unauthorized: () => ErrorResponse,
): Caller {
  const isDisclosed = (part?: RequestPart) => authorized || (part !== undefined && disclosedWithoutAuth.includes(part))
  return {
    authorized,
    reject: (part, errorResponse) => {
      throw isDisclosed(part) ? errorResponse : unauthorized()
    },
    requireAuthorization: (part) => {
      if (!isDisclosed(part)) throw unauthorized()
    },
  }
}
