import { diffLines, diffWordsWithSpace } from 'diff'

/** A piece of a text, and whether the other text lacks it. */
export interface Piece {
  readonly text: string
  readonly differs: boolean
}

type Sides = readonly [left: readonly Piece[], right: readonly Piece[]]

/** Longer texts are compared by lines. */
const longestByWords = 2000

/** Marks the differences of two texts. If the status differs, the body after it is not compared. */
export function marked(expected: string, actual: string): Sides {
  const [, status, body] = /^(status \d+)(: .*)$/s.exec(actual) ?? []
  if (status === undefined || body === undefined) return differences(expected, actual)
  const [left, right] = differences(expected, status)
  return [left, [...right, { text: body, differs: false }]]
}

function differences(expected: string, actual: string): Sides {
  const isLong = Math.max(expected.length, actual.length) > longestByWords
  const changes = isLong ? diffLines(expected, actual) : diffWordsWithSpace(expected, actual)
  const side = (own: 'added' | 'removed', other: 'added' | 'removed') =>
    changes.filter((change) => !change[other]).map((change) => ({ text: change.value, differs: change[own] }))
  return [side('removed', 'added'), side('added', 'removed')]
}
