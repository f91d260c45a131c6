import type { Harm, Report } from '../../reports/report.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { exitCode } from '../exit-code.ts'

/** How a command left its target. */
interface TargetLeft {
  readonly kind: Report['target']['kind']
  readonly harm: Harm | null
  readonly outcomes: readonly Pick<Outcome, 'status' | 'stop'>[]
}

/** The exit code where something is the matter that weighs more than any finding; null otherwise. */
export function codeOfTarget({ kind, harm, outcomes }: TargetLeft): number | null {
  const left = kind === 'url' ? codeOfForeign(harm, outcomes) : codeOfOwn(harm)
  return left ?? (outcomes.some(({ status }) => status === 'error') ? exitCode.kitError : null)
}

function codeOfForeign(harm: Harm | null, outcomes: TargetLeft['outcomes']): number | null {
  if (harm?.unreachable || outcomes.some(({ stop }) => stop === 'unreachable')) return exitCode.unreachable
  return harm !== null && !harm.restored ? exitCode.harmed : null
}

/** What a server that the kit started did to its own list is its fault, and there is nothing to recover. */
function codeOfOwn(harm: Harm | null): number | null {
  return harm !== null && (harm.unreachable || !harm.restored) ? exitCode.nonConformant : null
}
