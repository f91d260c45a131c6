import type { Draft } from '../../../../suites/model/rule.ts'
import type { LoginRange } from '../../../../suites/session/logins.ts'

/**
 * The range of the same size nearest to the wanted one that holds no login of these rules; null if
 * there is none. `highest` is the highest login that may be used.
 */
export function nearestFreeRange(
  { from, to }: LoginRange,
  rules: readonly Draft[],
  highest = 2 ** 31 - 1,
): LoginRange | null {
  const size = to - from + 1
  const starts = gapsBetween(usedLogins(rules, highest), highest)
    .filter((gap) => gap.to - gap.from + 1 >= size)
    .map((gap) => Math.min(Math.max(from, gap.from), gap.to - size + 1))
    .toSorted((one, other) => Math.abs(one - from) - Math.abs(other - from))
  const [start] = starts
  return start === undefined ? null : { from: start, to: start + size - 1 }
}

/** The logins in use. Invalid values are ignored. */
function usedLogins(rules: readonly Draft[], highest: number): readonly number[] {
  const logins = rules.flatMap(({ master, follower }) => [master, follower])
  return logins
    .filter((login): login is number => Number.isSafeInteger(login) && login >= 1 && login <= highest)
    .toSorted((one, other) => one - other)
}

function gapsBetween(taken: readonly number[], highest: number): readonly LoginRange[] {
  const edges = [0, ...taken, highest + 1]
  return edges.slice(1).map((edge, position) => ({ from: (edges[position] ?? 0) + 1, to: edge - 1 }))
}
