import type { Outcome } from '../../suites/runner/outcome.ts'
import knownFaults from './known-faults.json' with { type: 'json' }

/**
 * By defect: the checks that fail for it, each with its failure code and the circumstances, as in
 * `CT-453:request.accepted:POST with mode "mult " | POST /api/rules 201`.
 */
export type FaultMatrix = Readonly<Record<string, readonly string[]>>

/** By API. `npm run known-faults` writes the file. */
const faultsOf: Readonly<Record<string, FaultMatrix>> = knownFaults

/** How many defects of these APIs the checks that were judged can notice. */
export function countKnownFaults(apis: readonly string[], outcomes: readonly Outcome[]) {
  const judged = new Set(
    outcomes.filter(({ status }) => status === 'passed' || status === 'failed').map(({ check }) => check),
  )
  const faults = Object.values(knownFaultsOf(apis))
  const isNoticeable = (failures: readonly string[]) => failures.some((failure) => judged.has(checkOf(failure)))
  return { noticeable: faults.filter(isNoticeable).length, total: faults.length }
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
