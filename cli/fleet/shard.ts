import { InvalidArgumentError } from 'commander'
import type { Shard } from '../fleet-document.ts'

/** Reads `2/5`. @throws {InvalidArgumentError} */
export function parseShard(text: string): Shard {
  const [index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text)?.slice(1) ?? []).map(Number)
  if (index >= 1 && index <= count) return { index, count }
  throw new InvalidArgumentError('Give a part and the number of parts, like `2/5`.')
}

/**
 * The items of one part. The division depends only on the names, not on their order, and the parts are equal in size.
 */
export function partOf<Item extends { readonly name: string }>(
  items: readonly Item[],
  shard: Shard | null,
): readonly Item[] {
  if (shard === null) return items
  const byName = items.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const own = new Set(byName.filter((_, place) => place % shard.count === shard.index - 1))
  return items.filter((item) => own.has(item))
}
