import { createHash } from 'node:crypto'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'

/** A random integer in an inclusive range; the same seed gives the same numbers. */
export type RandomInteger = (from: number, to: number) => number

export function seededRandom(seed: number): RandomInteger {
  const random = xorshift128plus(seed)
  return (from, to) => uniformInt(random, from, to)
}

/** Derives the seed for one purpose, such as a check, from the seed of the run. */
export function seedFor(seed: number, purpose: string): number {
  return createHash('sha256').update(`${seed} ${purpose}`).digest().readInt32BE()
}
