import type { Outcome } from '../../suites/runner/outcome.ts'
import knownFaults from './known-faults.json' with { type: 'json' }

/**
 * By API: each defect of the catalogue, the checks that catch it and their failure codes, as in
 * `CT-511:list.not-shifted`. `npm run known-faults` writes the file.
 */
const catching: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = knownFaults

/** How many defects of these APIs the checks that were judged can notice. */
export function countKnownFaults(apis: readonly string[], outcomes: readonly Outcome[]) {
  const judged = new Set(
    outcomes.filter(({ status }) => status === 'passed' || status === 'failed').map(({ check }) => check),
  )
  const faults = apis.flatMap((api) => Object.values(catching[api] ?? {}))
  const isNoticeable = (failures: readonly string[]) => failures.some((failure) => judged.has(checkOf(failure)))
  return { noticeable: faults.filter(isNoticeable).length, total: faults.length }
}

/** The check of a recorded failure. */
export const checkOf = (failure: string): string => failure.replace(/:.*/, '')
