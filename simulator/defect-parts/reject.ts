import { ErrorResponse } from '../server/error-response.ts'

/** Refuses with this status, as a seam that is to throw. */
export function reject(status: number, message: string): never {
  throw new ErrorResponse(status, message)
}
