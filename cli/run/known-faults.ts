import type { Outcome } from '../../suites/runner/outcome.ts'
import knownFaults from './known-faults.json' with { type: 'json' }

/** By API: each defect of the catalogue and the checks that catch it. `npm run known-faults` writes the file. */
const catching: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = knownFaults

/** How many defects of these APIs the checks that were judged can notice. */
export function countKnownFaults(apis: readonly string[], outcomes: readonly Outcome[]) {
  const judged = new Set(
    outcomes.filter(({ status }) => status === 'passed' || status === 'failed').map(({ check }) => check),
  )
  const faults = apis.flatMap((api) => Object.values(catching[api] ?? {}))
  return { noticeable: faults.filter((checks) => checks.some((id) => judged.has(id))).length, total: faults.length }
}
