import type { IncomingMessage } from 'node:http'
import type { HttpResponse } from '../server/response.ts'
import { crowd } from './connection-limit.ts'

/** The last look at an answer, before it leaves. */
type Finish = (answer: HttpResponse, request: IncomingMessage) => HttpResponse

/** After an error, the next request on the connection gets the same answer again. */
export function errorAgain(): Finish {
  const poisoned = new WeakMap<object, HttpResponse>()
  return (answer, { socket }) => {
    const before = poisoned.get(socket)
    poisoned.delete(socket)
    if (answer.status >= 400) poisoned.set(socket, answer)
    return before ?? answer
  }
}

/** With more than so many open connections, a GET gets what was last written for another request. */
export function sharedBuffer(most: number): Finish {
  const isCrowded = crowd(most)
  let shared: HttpResponse | undefined
  return (answer, { socket, method }) => {
    const last = shared
    shared = answer
    return method === 'GET' && isCrowded(socket) && last !== undefined ? last : answer
  }
}
