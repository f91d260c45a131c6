import { Dropped } from '../server/error-response.ts'

/** A resource that a server leaks: once all of it is lost, no request gets a response. */
export function supply(count: number) {
  let left = count
  return {
    lose: () => {
      left--
    },
    /** Called for each request. */
    need: <Value>(value: Value): Value => {
      if (left <= 0) throw new Dropped('The resource pool is empty.')
      return value
    },
  }
}
