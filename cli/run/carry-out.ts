import type { Case } from '../../suites/engine/check.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import { type PlannedCheck, plan } from '../../suites/engine/plan.ts'
import { UsageError } from '../command-error.ts'
import type { OpenTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { rehearse } from './rehearse.ts'
import { runChecks } from './run-checks.ts'
import { showPlan } from './show-plan.ts'
import { type Visited, visit } from './visit.ts'

/** What a command wants to have carried out at a target. */
export interface Undertaking {
  readonly options: RunOptions
  readonly cases: readonly Case[]
  /** What the line before the work begins with, e.g. `Judging`. */
  readonly verb: string
  readonly signal: AbortSignal
}

/** The checks that were planned, and what became of those that ran. */
export interface CarriedOut {
  readonly planned: readonly PlannedCheck[]
  readonly outcomes: readonly Outcome[]
}

/**
 * Plans checks and runs them against a target, with everything that keeps it safe. Null for
 * `--plan`, which only prints.
 *
 * @throws {UsageError} when no check is left
 */
export function carryOut({ options, cases, verb, signal }: Undertaking): Promise<Visited<CarriedOut> | null> {
  const planFor = ({ risk, only, skip }: Pick<RunOptions, 'risk' | 'only' | 'skip'>, { target }: OpenTarget) =>
    plan({ checks: cases, risk, capabilities: target.capabilities, only, skip })
  refuseEmptyPlan(options, cases)
  return visit({
    options,
    describe: (open, scope) => describeRun(verb, open, scope),
    async foresee(settings, open) {
      const planned = planFor({ ...options, risk: settings.risk }, open)
      const rehearsal = await rehearse(planned, settings)
      return { plan: showPlan(planned, rehearsal), mostWrites: rehearsal.mostWrites }
    },
    async work({ options: scope, open, settings }) {
      const planned = planFor(scope, open)
      return { planned, outcomes: await runChecks({ settings, planned, open, signal }) }
    },
  })
}

function refuseEmptyPlan({ risk, only, skip }: RunOptions, cases: readonly Case[]): void {
  if (plan({ checks: cases, risk, capabilities: [], only, skip }).length > 0) return
  throw new UsageError(
    'No check is left: --only and --skip leave nothing to run.',
    'They match ids of checks, requirements and questions, as in --only "plugin.delete.*".',
  )
}

function describeRun(verb: string, { target }: OpenTarget, { risk, seed }: RunOptions): string {
  const what = { simulator: 'the embedded simulator', exec: 'the server of --exec', url: 'the server' }[target.kind]
  return `${verb} ${what} at ${target.url} (risk ${risk}, seed ${seed})`
}
