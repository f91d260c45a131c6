import { distance } from 'fastest-levenshtein'
import type { Diagnosis } from '../../reports/report.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'

/**
 * By defect: the checks that fail for it, each with its failure code and the circumstances, as in
 * `CT-453:request.accepted:POST with mode "mult " | POST /api/rules 201`.
 */
export type FaultMatrix = Readonly<Record<string, readonly string[]>>

/** A fault, or a pair of them, that may explain the failures of a run. */
export type Candidate = Omit<Diagnosis, 'summaries'>

/** Below it a fault predicts too little of what happened to be named. */
const leastScore = 0.25
/** A failure of the predicted check with the same code in quite different circumstances, and with another code. */
const sameCodeCounts = 0.8
const otherCodeCounts = 0.5
/** A predicted failure that did not come speaks little against a fault: a server may have it in some states only. */
const missingFailureCounts = 0.2
/** Two faults are less likely than one: they must explain so much more. */
const pairMustAdd = 0.05
/** Of a pair and another fault that explain almost the same, the one fault is likelier. */
const pairHandicap = 0.02
/** What the first fault of a pair leaves over, the second must explain so well. */
const leastOfRest = 0.5
/** The best defects, for which a partner is looked for. */
const mostWithPartner = 20
const mostCandidates = 3

/** One or two defects, and of each check that fails for them how like its recorded failure is to the one that came. */
interface Prediction {
  readonly defects: readonly string[]
  readonly likeness: ReadonlyMap<string, number>
}

interface Failure {
  readonly code: string | null
  readonly circumstances: string
}

interface Rated extends Prediction {
  readonly score: number
}

/** How a check ended; the circumstances are those of `circumstancesOf`. */
type Result = Pick<Outcome, 'check' | 'status' | 'code'> & Pick<Failure, 'circumstances'>

/** The faults that explain best what failed and what passed: at most three, the best first. */
export function diagnose(results: readonly Result[], matrix: FaultMatrix): readonly Candidate[] {
  const failed = new Map(
    results
      .filter(({ status }) => status === 'failed')
      .map(({ check, code, circumstances }): [string, Failure] => [check, { code, circumstances }]),
  )
  if (failed.size === 0) return []
  const passed = new Set(results.flatMap(({ check, status }) => (status === 'passed' ? [check] : [])))
  const predictions = Object.entries(matrix).map(([defect, failures]) => predictionOf(defect, failures, failed))
  const weightOf = weights(predictions)
  const rate = rater([...failed.keys()], passed, weightOf)
  const singles = ranked(predictions.map(rate).filter(({ score }) => score > 0))
  const pairs = singles.slice(0, mostWithPartner).flatMap((first) => {
    const rest = [...failed.keys()].filter((check) => !first.likeness.has(check))
    const rateRest = rater(rest, passed, weightOf)
    const partners = singles.filter((second) => rateRest(second).score >= leastOfRest)
    return partners.flatMap((second) => {
      const pair = rate(union(first, second))
      return pair.score > Math.max(first.score, second.score) + pairMustAdd ? [pair] : []
    })
  })
  return withoutRepeats(ranked([...singles, ...pairs]).filter(({ score }) => score >= leastScore))
    .slice(0, mostCandidates)
    .map(({ defects, likeness, score }) => ({
      defects,
      explains: [...failed.keys()].filter((check) => likeness.has(check)),
      unexplained: [...failed.keys()].filter((check) => !likeness.has(check)),
      score: Math.round(score * 100) / 100,
    }))
}

function predictionOf(defect: string, recorded: readonly string[], failed: ReadonlyMap<string, Failure>): Prediction {
  const likeness = new Map<string, number>()
  for (const text of recorded) {
    const [check = '', code = '', ...circumstances] = text.split(':')
    const failure = failed.get(check)
    const one = failure === undefined ? 0 : compare(failure, { code, circumstances: circumstances.join(':') })
    likeness.set(check, Math.max(likeness.get(check) ?? 0, one))
  }
  return { defects: [defect], likeness }
}

function compare(failure: Failure, recorded: Failure): number {
  if (failure.code !== recorded.code) return otherCodeCounts
  return sameCodeCounts + (1 - sameCodeCounts) * similarity(failure.circumstances, recorded.circumstances)
}

/** From 0 for texts that have nothing in common to 1 for equal ones. */
function similarity(one: string, other: string): number {
  return one === other ? 1 : 1 - distance(one, other) / Math.max(one.length, other.length)
}

/** The fewer defects a check fails for, the more its result says. */
function weights(predictions: readonly Prediction[]): (check: string) => number {
  const failing = new Map<string, number>()
  for (const check of predictions.flatMap(({ likeness }) => [...likeness.keys()])) {
    failing.set(check, (failing.get(check) ?? 0) + 1)
  }
  const weigh = (defects: number) => Math.log((predictions.length + 1) / defects)
  const weights = new Map(Array.from(failing, ([check, defects]) => [check, weigh(defects)]))
  return (check) => weights.get(check) ?? weigh(1)
}

/** Rates a prediction by the weight of what it explains, of all that failed and all that should have failed. */
function rater(
  failed: readonly string[],
  passed: ReadonlySet<string>,
  weightOf: (check: string) => number,
): (prediction: Prediction) => Rated {
  const allFailed = failed.reduce((total, check) => total + weightOf(check), 0)
  const isFailed = new Set(failed)
  return (prediction) => {
    let explained = 0
    let missing = 0
    for (const [check, likeness] of prediction.likeness) {
      if (isFailed.has(check)) explained += weightOf(check) * likeness
      else if (passed.has(check)) missing += weightOf(check) * missingFailureCounts
    }
    return { ...prediction, score: explained === 0 ? 0 : explained / (allFailed + missing) }
  }
}

function union(first: Prediction, second: Prediction): Prediction {
  const likeness = new Map(first.likeness)
  for (const [check, one] of second.likeness) likeness.set(check, Math.max(likeness.get(check) ?? 0, one))
  return { defects: [...first.defects, ...second.defects], likeness }
}

function ranked(rated: readonly Rated[]): readonly Rated[] {
  const rank = ({ defects, score }: Rated) => score - (defects.length - 1) * pairHandicap
  return rated.toSorted((a, b) => rank(b) - rank(a))
}

/** Without those that name a defect again: three candidates are to be three different ideas. */
function withoutRepeats(rated: readonly Rated[]): readonly Rated[] {
  const named = new Set<string>()
  return rated.filter(({ defects }) => {
    const isNew = !defects.some((defect) => named.has(defect))
    if (isNew) for (const defect of defects) named.add(defect)
    return isNew
  })
}
