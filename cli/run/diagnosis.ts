import type { Diagnosis } from '../../reports/report.ts'
import { circumstancesOf } from '../../suites/runner/circumstances.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { isHarm } from '../../suites/safety/culprits.ts'
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
