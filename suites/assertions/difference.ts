import type { Json } from './failure-data.ts'

/**
 * Describes how `actual` differs from `expected` independently of the seed, the logins and the length of the list:
 * numbers are greater or less, lists are shorter or reordered, and other values are compared by JSON type.
 */
export function differenceBetween(actual: unknown, expected: unknown): Json {
  if (Array.isArray(actual) && Array.isArray(expected)) return differenceOfLists(actual, expected)
  if (isNumber(actual) && isNumber(expected)) return actual > expected ? 'greater' : 'less'
  return shapeOf(actual)
}

/** Deeper levels of a value do not distinguish failures. */
const maxLevels = 3

/** The JSON types of a value: only the type for a string or a number, each distinct shape once for a list. */
export function shapeOf(value: unknown, levels = maxLevels): Json {
  if (value === undefined) return 'missing'
  if (isNumber(value)) return 'number'
  if (typeof value === 'string') return 'string'
  if (typeof value !== 'object' || value === null) return value as Json
  if (levels === 0) return Array.isArray(value) ? 'array' : 'object'
  if (Array.isArray(value)) return shapesOf(value, levels - 1)
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member, levels - 1)]))
}

function differenceOfLists(actual: readonly unknown[], expected: readonly unknown[]): Json {
  const sorted = (list: readonly unknown[]) => JSON.stringify(list.map(textOf).toSorted())
  const lengths = ['shorter', 'same', 'longer'] as const
  return {
    items: sorted(actual) === sorted(expected) ? 'same' : 'other',
    length: lengths[Math.sign(actual.length - expected.length) + 1] ?? 'same',
    shapes: shapesOf(actual, maxLevels),
  }
}

function shapesOf(list: readonly unknown[], levels: number): readonly Json[] {
  const shapes = new Set(list.map((item) => JSON.stringify(shapeOf(item, levels))))
  return [...shapes].toSorted().map((text) => JSON.parse(text) as Json)
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? 'missing'
}

const isNumber = (value: unknown): value is number | bigint => typeof value === 'number' || typeof value === 'bigint'
