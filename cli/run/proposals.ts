import { checkOf, type FaultMatrix } from './known-faults.ts'

/** A failure with the same code only, and a recorded failure that did not come, compared with the same failure. */
const sameCodeCounts = 0.3
const missingCounts = 0.5

/** The defects whose recorded failures are like these, the most alike first. */
export function proposals(
  failed: ReadonlyMap<string, string>,
  passed: ReadonlySet<string>,
  known: FaultMatrix,
): readonly string[] {
  const defects = Object.entries(known)
  const failing = new Map<string, number>()
  for (const [, failures] of defects) {
    for (const check of new Set(failures.map(checkOf))) failing.set(check, (failing.get(check) ?? 0) + 1)
  }
  /** The fewer defects a check fails for, the more it says. */
  const weightOf = (check: string) => Math.log((defects.length + 1) / (failing.get(check) ?? 1))
  const likenessOf = (failure: string) => {
    const [check = '', code = ''] = failure.split(':')
    const way = failed.get(check)
    if (way === undefined) return passed.has(check) ? -missingCounts : 0
    if (way.startsWith(failure.slice(check.length + 1))) return 1
    return way.startsWith(`${code}:`) ? sameCodeCounts : 0
  }
  return defects
    .map(([id, failures]) => {
      const best = new Map<string, number>()
      for (const failure of failures) {
        const check = checkOf(failure)
        best.set(check, Math.max(best.get(check) ?? Number.NEGATIVE_INFINITY, likenessOf(failure)))
      }
      const explains = [...best.values()].some((likeness) => likeness > 0)
      const score = [...best].reduce((sum, [check, likeness]) => sum + likeness * weightOf(check), 0)
      return { id, explains, score }
    })
    .filter(({ explains, score }) => explains && score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ id }) => id)
}
