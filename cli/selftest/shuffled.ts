import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus'

/** The items in random order; the same seed gives the same one. */
export function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const random = xorshift128plus(seed)
  const left = [...items]
  return items.flatMap(() => left.splice(uniformInt(random, 0, left.length - 1), 1))
}
