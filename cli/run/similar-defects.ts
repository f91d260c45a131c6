import { distance } from 'fastest-levenshtein'
import { checkOf, type FaultMatrix } from './known-faults.ts'

/** The weight of a failure with the same code but entirely different circumstances, and of one with another code. */
const sameCodeCounts = 0.8
const otherCodeCounts = 0.2
/** The penalty for a failure that did not occur: small, since a fault may show only in some states of a server. */
const missingCounts = 0.2

/** The defects with similar recorded failures, the most similar first. `failed` holds failures as recorded. */
export function similarDefects(failed: ReadonlyMap<string, string>, passed: ReadonlySet<string>, known: FaultMatrix) {
  const defects = Object.entries(known)
  const failing = new Map<string, number>()
  for (const [, failures] of defects) {
    for (const check of new Set(failures.map(checkOf))) failing.set(check, (failing.get(check) ?? 0) + 1)
  }
  /** A check that fails for fewer defects says more. */
  const weightOf = (check: string) => Math.log((defects.length + 1) / (failing.get(check) ?? 1))
  return defects
    .map(([id, recorded]) => {
      const similarities = new Map<string, number>()
      for (const text of recorded) {
        const check = checkOf(text)
        const failure = failed.get(check)
        const one = failure === undefined ? 0 : compare(failure, text.slice(check.length + 1))
        similarities.set(check, Math.max(similarities.get(check) ?? 0, one))
      }
      let score = 0
      for (const [check, one] of similarities) {
        if (failed.has(check)) score += one * weightOf(check)
        else if (passed.has(check)) score -= missingCounts * weightOf(check)
      }
      return { id, score }
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ id }) => id)
}

function compare(failure: string, recorded: string): number {
  if (failure.split(':', 1)[0] !== recorded.split(':', 1)[0]) return otherCodeCounts
  const unlike = distance(failure, recorded) / Math.max(failure.length, recorded.length)
  return sameCodeCounts + (1 - sameCodeCounts) * (1 - unlike)
}
