import { Dropped, ErrorResponse } from '../server/error-response.ts'

/** Rejects the request with this status. For hooks, which may throw. */
export function reject(status: number, message: string): never {
  throw new ErrorResponse(status, message)
}

/** Rejects the request as a server does that has failed. For hooks, which may throw. */
export function fail(): never {
  reject(500, 'Internal server error.')
}

/** Closes the connection without a response. For hooks, which may throw. */
export function drop(): never {
  throw new Dropped()
}
