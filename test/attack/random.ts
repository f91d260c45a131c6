import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'

/** A random integer, both ends included. Returns the first one if the second is smaller. */
export type Random = (from: number, to: number) => number

export function createRandom(seed: number): Random {
  const generator = xorshift128plus(seed)
  return (from, to) => (to < from ? from : uniformInt(generator, from, to))
}
