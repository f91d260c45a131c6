import type { Diagnosis } from '../../reports/report.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'

/** By defect: the checks that fail for it, each with its failure code, as in `CT-602:list.order-changed`. */
export type FaultMatrix = Readonly<Record<string, readonly string[]>>

/** A fault, or a pair of them, that may explain the failures of a run. */
export type Candidate = Omit<Diagnosis, 'summaries'>

/** Below it a fault predicts too little of what happened to be named. */
const leastScore = 0.35
/** A failure of the predicted check with another code. */
const otherCodeCounts = 0.5
/** What the first fault of a pair leaves over, the second must explain so well. */
const leastOfRest = 0.5
/** The best defects, for which a partner is looked for. */
const mostWithPartner = 5
const mostCandidates = 3

/** The failure codes of each check that fails for one or two defects. */
interface Prediction {
  readonly defects: readonly string[]
  readonly codes: ReadonlyMap<string, ReadonlySet<string>>
}

interface Rated extends Prediction {
  readonly score: number
}

/** The faults that explain best what failed and what passed: at most three, the best first. */
export function diagnose(
  results: readonly Pick<Outcome, 'check' | 'status' | 'code'>[],
  matrix: FaultMatrix,
): readonly Candidate[] {
  const failed = new Map(results.flatMap(({ check, status, code }) => (status === 'failed' ? [[check, code]] : [])))
  if (failed.size === 0) return []
  const passed = new Set(results.flatMap(({ check, status }) => (status === 'passed' ? [check] : [])))
  const predictions = Object.entries(matrix).map(([defect, failures]) => predictionOf(defect, failures))
  const weightOf = weights(predictions)
  const rate = rater(failed, passed, weightOf)
  const singles = ranked(predictions.map(rate).filter(({ score }) => score > 0))
  const pairs = singles.slice(0, mostWithPartner).flatMap((first) => {
    const rateRest = rater(new Map([...failed].filter(([check]) => !first.codes.has(check))), passed, weightOf)
    const partners = singles.filter((second) => rateRest(second).score >= leastOfRest)
    return partners.flatMap((second) => {
      const pair = rate(union(first, second))
      return pair.score > Math.max(first.score, second.score) ? [pair] : []
    })
  })
  return ranked([...singles, ...withoutRepeats(pairs)])
    .filter(({ score }) => score >= leastScore)
    .slice(0, mostCandidates)
    .map(({ defects, codes, score }) => ({
      defects,
      explains: [...failed.keys()].filter((check) => codes.has(check)),
      unexplained: [...failed.keys()].filter((check) => !codes.has(check)),
      score: Math.round(score * 100) / 100,
    }))
}

function predictionOf(defect: string, failures: readonly string[]): Prediction {
  const codes = new Map<string, Set<string>>()
  for (const failure of failures) {
    const [check = '', code = ''] = failure.split(':')
    codes.set(check, (codes.get(check) ?? new Set()).add(code))
  }
  return { defects: [defect], codes }
}

/** The fewer defects a check fails for, the more its result says. */
function weights(predictions: readonly Prediction[]): (check: string) => number {
  const failing = new Map<string, number>()
  for (const check of predictions.flatMap(({ codes }) => [...codes.keys()])) {
    failing.set(check, (failing.get(check) ?? 0) + 1)
  }
  const weigh = (defects: number) => Math.log((predictions.length + 1) / defects)
  const weights = new Map(Array.from(failing, ([check, defects]) => [check, weigh(defects)]))
  return (check) => weights.get(check) ?? weigh(1)
}

/** Rates a prediction by the weight of what it explains, of all that failed and all that should have failed. */
function rater(
  failed: ReadonlyMap<string, string | null>,
  passed: ReadonlySet<string>,
  weightOf: (check: string) => number,
): (prediction: Prediction) => Rated {
  const allFailed = [...failed.keys()].reduce((total, check) => total + weightOf(check), 0)
  return (prediction) => {
    let explained = 0
    let wrong = 0
    for (const [check, codes] of prediction.codes) {
      const code = failed.get(check)
      if (code !== undefined) explained += weightOf(check) * (codes.has(code ?? '') ? 1 : otherCodeCounts)
      else if (passed.has(check)) wrong += weightOf(check)
    }
    return { ...prediction, score: explained === 0 ? 0 : explained / (allFailed + wrong) }
  }
}

function union(first: Prediction, second: Prediction): Prediction {
  const codes = new Map(first.codes)
  for (const [check, more] of second.codes) codes.set(check, new Set([...(codes.get(check) ?? []), ...more]))
  return { defects: [...first.defects, ...second.defects], codes }
}

function ranked(rated: readonly Rated[]): readonly Rated[] {
  return rated.toSorted((a, b) => b.score - a.score || a.defects.length - b.defects.length)
}

function withoutRepeats(pairs: readonly Rated[]): readonly Rated[] {
  return [...new Map(pairs.map((pair) => [pair.defects.toSorted().join(), pair])).values()]
}
