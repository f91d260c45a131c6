import type { Concern, ErrorResponse, Rejection } from './error-response.ts'

/** The sender of a request, and what may be disclosed to it. */
export interface Caller {
  readonly authorized: boolean
  /** Throws the rejection, or 401 if the rejection must not be disclosed to this caller. */
  readonly reject: (concern: Concern, errorResponse: Rejection) => never
  /** Throws 401 unless the caller is authorized, or the concern may be disclosed without authentication. */
  readonly requireAuthorization: (concern?: Concern) => void
}

/** A caller, from the result of the key check and the concerns that are disclosed without authentication. */
export function createCaller({
  authorized,
  disclosedWithoutAuth,
  unauthorized,
}: {
  readonly authorized: boolean
  readonly disclosedWithoutAuth: readonly Concern[]
  readonly unauthorized: () => ErrorResponse
}): Caller {
  const isDisclosed = (concern?: Concern) =>
    authorized || (concern !== undefined && disclosedWithoutAuth.includes(concern))
  return {
    authorized,
    reject: (concern, errorResponse) => {
      throw isDisclosed(concern) ? errorResponse : unauthorized()
    },
    requireAuthorization: (concern) => {
      if (!isDisclosed(concern)) throw unauthorized()
    },
  }
}
