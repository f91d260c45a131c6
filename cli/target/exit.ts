import type { Harm } from '../../reports/report.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { exitCode } from '../exit-code.ts'

/** The exit code where something is the matter that weighs more than any finding; null otherwise. */
export function codeOfTarget(harm: Harm | null, outcomes: readonly Pick<Outcome, 'status' | 'stop'>[]): number | null {
  if (harm?.unreachable || outcomes.some(({ stop }) => stop === 'unreachable')) return exitCode.unreachable
  if (harm !== null && !harm.restored) return exitCode.harmed
  if (outcomes.some(({ status }) => status === 'error')) return exitCode.kitError
  return null
}
