import type { Diagnosis } from '../../reports/report.ts'
import { circumstancesOf } from '../../suites/runner/circumstances.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { isHarm } from '../../suites/safety/culprits.ts'
import type { Check, Risk } from '../../suites/session/check.ts'
import { diagnose, type FaultMatrix } from './diagnose.ts'
import knownFaults from './known-faults.json' with { type: 'json' }

/** The known faults of these APIs that explain the failures best, with their summaries. */
export async function diagnosisOf(
  apis: readonly string[],
  outcomes: readonly Outcome[],
): Promise<readonly Diagnosis[]> {
  // The self-test has no rules of others, so no recorded fault fails in this way.
  const recorded = outcomes.filter(({ code }) => !isHarm(code))
  const results = recorded.map((outcome) => ({ ...outcome, circumstances: circumstancesOf(outcome) }))
  const candidates = diagnose(results, knownFaultsOf(apis))
  if (candidates.length === 0) return []
  // Loaded only here: the defects need the simulators, and a run must start fast.
  const { pluginDefects } = await import('../../simulator/plugin/defects/index.ts')
  const { platformDefects } = await import('../../simulator/platform/defects/index.ts')
  const summaries = new Map([...pluginDefects, ...platformDefects].map(({ id, summary }) => [id, summary]))
  return candidates.map((candidate) => ({
    ...candidate,
    summaries: candidate.defects.map((id) => summaries.get(id) ?? id),
  }))
}

/**
 * By API: each defect of the catalogue, the checks that fail for it, their failure codes and the
 * circumstances. `npm run known-faults` writes the file.
 */
const faultsOf: Readonly<Record<string, FaultMatrix>> = knownFaults

/** An API that a run judged, and what the run could send to it. */
export interface JudgedApi {
  readonly name: string
  readonly checks: readonly Pick<Check, 'id' | 'concludes'>[]
  readonly risk: Risk
}

/**
 * How many defects the checks that were judged can notice. A check that concludes from all requests of a run sees only
 * those that its risk allows; the recorded failure names the request. `docs/verdicts.md` has the numbers of usual runs.
 */
export function countKnownFaults(apis: readonly JudgedApi[], judged: ReadonlySet<string>) {
  const isNoticeable = ({ checks, risk }: JudgedApi) => {
    const concluding = new Set(checks.flatMap(({ id, concludes }) => (concludes ? id : [])))
    return (failure: string) => {
      const check = checkOf(failure)
      return judged.has(check) && (!concluding.has(check) || sentAt[risk].test(failure))
    }
  }
  const faults = apis.flatMap((api) =>
    Object.values(knownFaultsOf([api.name])).map((one) => one.some(isNoticeable(api))),
  )
  return { noticeable: faults.filter((noticed) => noticed).length, total: faults.length }
}

/** The requests of recorded failures that a run with this risk sends. */
const sentAt: Readonly<Record<Risk, RegExp>> = {
  read: /:(GET|HEAD|OPTIONS) /,
  write: /:(?!RAW )[A-Z]+ /,
  exclusive: /^/,
}

const mostShown = 5

/** For a check, the defects that it fails for: first those that few other checks notice. */
export function mostTellingFaults(apis: readonly string[]): (check: string) => readonly string[] {
  const faults = Object.entries(knownFaultsOf(apis)).toSorted(([, one], [, other]) => one.length - other.length)
  return (check) =>
    faults
      .filter(([, failures]) => failures.some((failure) => checkOf(failure) === check))
      .slice(0, mostShown)
      .map(([defect]) => defect)
}

/** Every defect of these APIs, with the checks that fail for it. */
export function knownFaultsOf(apis: readonly string[]): FaultMatrix {
  return Object.assign({}, ...apis.map((api) => faultsOf[api] ?? {}))
}

/** The check of a recorded failure. */
export const checkOf = (failure: string): string => failure.replace(/:.*/, '')
