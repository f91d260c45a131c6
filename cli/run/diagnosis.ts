import type { Diagnosis } from '../../reports/report.ts'
import { circumstancesOf } from '../../suites/runner/circumstances.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { isHarm } from '../../suites/safety/culprits.ts'
import { diagnose } from './diagnose.ts'
import { knownFaultsOf } from './known-faults.ts'

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
