import type { IncomingMessage } from 'node:http'
import type { HttpResponse } from '../server/response.ts'
import { connectionLimit } from './connection-limit.ts'

/** Runs last on every response, before it is sent. */
type Finish = (response: HttpResponse, request: IncomingMessage) => HttpResponse

/** After an error, the next request on the connection gets the same response again. */
export function errorAgain(): Finish {
  const poisoned = new WeakMap<object, HttpResponse>()
  return (response, { socket }) => {
    const before = poisoned.get(socket)
    poisoned.delete(socket)
    if (response.status >= 400) poisoned.set(socket, response)
    return before ?? response
  }
}

/** With more than `most` open connections, a GET gets the last response to another request. */
export function sharedBuffer(most: number): Finish {
  const isOverLimit = connectionLimit(most)
  let shared: HttpResponse | undefined
  return (response, { socket, method }) => {
    const last = shared
    shared = response
    return method === 'GET' && isOverLimit(socket) && last !== undefined ? last : response
  }
}
