import type { Case } from '../../suites/engine/check.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import { type PlannedCheck, plan } from '../../suites/engine/plan.ts'
import { UsageError } from '../command-error.ts'
import { describeHands } from '../life-cycle/options.ts'
import type { OpenTarget } from './open-target.ts'
import type { RunOptions } from './options.ts'
import { rehearse } from './rehearse.ts'
import { runChecks } from './run-checks.ts'
import { showPlan } from './show-plan.ts'
import { type Foreseen, type Visited, visit } from './visit.ts'

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
  const planFor = ({ risk, only, skip }: Pick<RunOptions, 'risk' | 'only' | 'skip'>, open: OpenTarget) => {
    const { target, missing } = open
    const shared = target.lockKey !== undefined
    return plan({ checks: cases, risk, capabilities: target.capabilities, missing, shared, only, skip })
  }
  refuseEmptyPlan(options, cases)
  return visit({
    options,
    signal,
    describe: (open, scope) => describeRun(verb, open, scope),
    async foresee(settings, open) {
      const planned = planFor({ ...options, risk: settings.risk }, open)
      const rehearsal = await rehearse(planned, settings)
      const { mostWrites } = rehearsal
      return { plan: showPlan(planned, rehearsal), mostWrites, lifeCycle: lifeCycleOf(planned, cases) }
    },
    async work({ options: scope, open, settings, driver }) {
      const planned = planFor(scope, open)
      return { planned, outcomes: await runChecks({ settings, planned, driver, signal, ...limits(scope) }) }
    },
  })
}

/** What the planned checks do to the life of a server that the kit did not start. */
function lifeCycleOf(planned: readonly PlannedCheck[], cases: readonly Case[]): Foreseen['lifeCycle'] {
  const run = new Set(planned.filter(({ outOfScope }) => outOfScope === null).map(({ id }) => id))
  const needs = cases.filter(({ id }) => run.has(id)).flatMap((check) => check.needs ?? [])
  if (needs.includes('launch')) return 'emptied'
  return needs.includes('restart') ? 'restarted' : null
}

/** A person may take all day for a step; a hook has a limit of its own. */
function limits({ lifeCycle }: RunOptions): { readonly checkTimeoutMs: number } {
  return { checkTimeoutMs: lifeCycle === null ? 300_000 : lifeCycle.manual ? 86_400_000 : 3_600_000 }
}

function refuseEmptyPlan({ risk, only, skip }: RunOptions, cases: readonly Case[]): void {
  if (plan({ checks: cases, risk, capabilities: [], only, skip }).length > 0) return
  throw new UsageError(
    'No check is left: --only and --skip leave nothing to run.',
    'They match ids of checks, requirements and questions, as in --only "plugin.delete.*".',
  )
}

function describeRun(verb: string, { target }: OpenTarget, { risk, seed, lifeCycle }: RunOptions): string {
  const what = { simulator: 'the embedded simulator', exec: 'the server of --exec', url: 'the server' }[target.kind]
  const hands = lifeCycle === null ? '' : `, life cycle by ${describeHands(lifeCycle)}`
  return `${verb} ${what} at ${target.url} (risk ${risk}, seed ${seed}${hands})`
}
