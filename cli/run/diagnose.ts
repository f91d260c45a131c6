import type { Diagnosis } from '../../reports/report.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'

/**
 * By defect: the checks that fail for it, each with its failure code and after what it failed, as in
 * `CT-602:list.order-changed` and `CT-453:request.accepted:POST with mode "mult "`.
 */
export type FaultMatrix = Readonly<Record<string, readonly string[]>>

/** A fault, or a pair of them, that may explain the failures of a run. */
export type Candidate = Omit<Diagnosis, 'summaries'>

/** Below it a fault predicts too little of what happened to be named. */
const leastScore = 0.35
/** A failure of the predicted check with the same code after another step, and with another code. */
const otherStepCounts = 0.8
const otherCodeCounts = 0.5
/** Two faults are less likely than one: they must explain so much more. */
const pairMustAdd = 0.05
/** What the first fault of a pair leaves over, the second must explain so well. */
const leastOfRest = 0.5
/** The best defects, for which a partner is looked for. */
const mostWithPartner = 5
const mostCandidates = 3

/** How each check fails for one or two defects. */
interface Prediction {
  readonly defects: readonly string[]
  readonly failures: ReadonlyMap<string, readonly Failure[]>
}

interface Failure {
  readonly code: string | null
  /** What was done before, if the check does several things. */
  readonly after: string | undefined
}

interface Rated extends Prediction {
  readonly score: number
}

type Result = Pick<Outcome, 'check' | 'status' | 'code' | 'data'>

/** The faults that explain best what failed and what passed: at most three, the best first. */
export function diagnose(results: readonly Result[], matrix: FaultMatrix): readonly Candidate[] {
  const failed = new Map(
    results
      .filter(({ status }) => status === 'failed')
      .map(({ check, code, data }): [string, Failure] => [check, { code, after: data?.after }]),
  )
  if (failed.size === 0) return []
  const passed = new Set(results.flatMap(({ check, status }) => (status === 'passed' ? [check] : [])))
  const predictions = Object.entries(matrix).map(([defect, failures]) => predictionOf(defect, failures))
  const weightOf = weights(predictions)
  const rate = rater(failed, passed, weightOf)
  const singles = ranked(predictions.map(rate).filter(({ score }) => score > 0))
  const pairs = singles.slice(0, mostWithPartner).flatMap((first) => {
    const rateRest = rater(new Map([...failed].filter(([check]) => !first.failures.has(check))), passed, weightOf)
    const partners = singles.filter((second) => rateRest(second).score >= leastOfRest)
    return partners.flatMap((second) => {
      const pair = rate(union(first, second))
      return pair.score > Math.max(first.score, second.score) + pairMustAdd ? [pair] : []
    })
  })
  return ranked([...singles, ...withoutRepeats(pairs)])
    .filter(({ score }) => score >= leastScore)
    .slice(0, mostCandidates)
    .map(({ defects, failures, score }) => ({
      defects,
      explains: [...failed.keys()].filter((check) => failures.has(check)),
      unexplained: [...failed.keys()].filter((check) => !failures.has(check)),
      score: Math.round(score * 100) / 100,
    }))
}

function predictionOf(defect: string, recorded: readonly string[]): Prediction {
  const failures = new Map<string, Failure[]>()
  for (const failure of recorded) {
    const [check = '', code = '', ...after] = failure.split(':')
    const one = { code, after: after.length === 0 ? undefined : after.join(':') }
    failures.set(check, [...(failures.get(check) ?? []), one])
  }
  return { defects: [defect], failures }
}

/** The fewer defects a check fails for, the more its result says. */
function weights(predictions: readonly Prediction[]): (check: string) => number {
  const failing = new Map<string, number>()
  for (const check of predictions.flatMap(({ failures }) => [...failures.keys()])) {
    failing.set(check, (failing.get(check) ?? 0) + 1)
  }
  const weigh = (defects: number) => Math.log((predictions.length + 1) / defects)
  const weights = new Map(Array.from(failing, ([check, defects]) => [check, weigh(defects)]))
  return (check) => weights.get(check) ?? weigh(1)
}

/** Rates a prediction by the weight of what it explains, of all that failed and all that should have failed. */
function rater(
  failed: ReadonlyMap<string, Failure>,
  passed: ReadonlySet<string>,
  weightOf: (check: string) => number,
): (prediction: Prediction) => Rated {
  const allFailed = [...failed.keys()].reduce((total, check) => total + weightOf(check), 0)
  return (prediction) => {
    let explained = 0
    let wrong = 0
    for (const [check, predicted] of prediction.failures) {
      const failure = failed.get(check)
      if (failure !== undefined) explained += weightOf(check) * likeness(failure, predicted)
      else if (passed.has(check)) wrong += weightOf(check)
    }
    return { ...prediction, score: explained === 0 ? 0 : explained / (allFailed + wrong) }
  }
}

function likeness({ code, after }: Failure, predicted: readonly Failure[]): number {
  const sameCode = predicted.filter((one) => one.code === code)
  if (sameCode.length === 0) return otherCodeCounts
  return sameCode.some((one) => one.after === after) ? 1 : otherStepCounts
}

function union(first: Prediction, second: Prediction): Prediction {
  const failures = new Map(first.failures)
  for (const [check, more] of second.failures) failures.set(check, [...(failures.get(check) ?? []), ...more])
  return { defects: [...first.defects, ...second.defects], failures }
}

function ranked(rated: readonly Rated[]): readonly Rated[] {
  return rated.toSorted((a, b) => b.score - a.score || a.defects.length - b.defects.length)
}

function withoutRepeats(pairs: readonly Rated[]): readonly Rated[] {
  return [...new Map(pairs.map((pair) => [pair.defects.toSorted().join(), pair])).values()]
}
