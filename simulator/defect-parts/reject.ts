import { Dropped, ErrorResponse } from '../server/error-response.ts'

/** Rejects the request with this status, for a hook that throws. */
export function reject(status: number, message: string): never {
  throw new ErrorResponse(status, message)
}

/** The request gets no response. */
export function drop(): never {
  throw new Dropped()
}
