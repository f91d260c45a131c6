import type { Harm, Report } from '../../reports/report.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { exitCode } from '../exit-code.ts'

interface TargetLeft {
  readonly kind: Report['target']['kind']
  readonly harm: Harm | null
  readonly outcomes: readonly Pick<Outcome, 'status' | 'stop'>[]
}

/** The exit code if a problem with the target outweighs the verdict; null otherwise. */
export function codeOfTarget({ kind, harm, outcomes }: TargetLeft): number | null {
  const left = kind === 'url' ? codeOfForeign(harm, outcomes) : codeOfOwn(harm)
  return left ?? (outcomes.some(({ status }) => status === 'error') ? exitCode.kitError : null)
}

function codeOfForeign(harm: Harm | null, outcomes: TargetLeft['outcomes']): number | null {
  if (harm?.unreachable || outcomes.some(({ stop }) => stop === 'unreachable')) return exitCode.unreachable
  return harm !== null && !harm.restored ? exitCode.harmed : null
}

/** On a server that the kit started, changes to the list are the server's fault and need no recovery. */
function codeOfOwn(harm: Harm | null): number | null {
  return harm !== null && (harm.unreachable || !harm.restored) ? exitCode.nonConformant : null
}
