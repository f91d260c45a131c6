import type { Concern, ErrorResponse, Rejection } from './error-response.ts'

/** Who sent the request, and with it what they are told. */
export interface Caller {
  readonly authorized: boolean
  /** Throws the refusal, or in its place that the key is wrong where that is not for this caller to know. */
  readonly reject: (concern: Concern, errorResponse: Rejection) => never
  /** Throws that the key is wrong unless the caller is authorized, or may first be told about the concern. */
  readonly requireAuthorization: (concern?: Concern) => void
}

/** A caller of whom is known whether the key was right, and of which concerns strangers are told. */
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
