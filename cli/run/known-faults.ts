import type { Check, Risk } from '../../suites/session/check.ts'
import knownFaults from './known-faults.json' with { type: 'json' }

/**
 * By defect: the checks that fail for it, each with its failure code and the circumstances, as in
 * `CT-453:request.accepted:POST with mode "mult " | POST /api/rules 201`.
 */
export type FaultMatrix = Readonly<Record<string, readonly string[]>>

/** By API. `npm run known-faults` writes the file. */
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
