import { Dropped, ErrorResponse } from '../server/error-response.ts'

/** Rejects the request with this status. For hooks, which may throw. */
export function reject(status: number, message: string): never {
  throw new ErrorResponse(status, message)
}

/** Closes the connection without a response. For hooks, which may throw. */
export function drop(): never {
  throw new Dropped()
}
