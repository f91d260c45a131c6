import { Dropped } from '../server/error-response.ts'

/** Counts what a server loses for good; without any left, no request is answered. */
export function supply(count: number) {
  let left = count
  return {
    lose: () => {
      left--
    },
    /** To be asked with each request. */
    need: <Value>(value: Value): Value => {
      if (left <= 0) throw new Dropped('Nobody is left to answer.')
      return value
    },
  }
}
