import { visibleLine } from '../../reports/visible.ts'
import { type PlannedCheck, plan } from '../../suites/runner/plan.ts'
import type { Case } from '../../suites/session/check.ts'
import { UsageError } from '../command-error.ts'
import { describeOperators } from '../options/life-cycle-options.ts'
import type { RunOptions, TargetChoice } from '../options/run-options.ts'
import { platformApi } from './apis.ts'
import { rehearse } from './estimate.ts'
import type { OpenServers } from './open-servers.ts'
import { accountsToCome } from './platform/consent.ts'
import { accountsToCreate } from './platform/planned-accounts.ts'
import type { Errand, Foreseen } from './session.ts'
import { showPlan } from './show-plan.ts'

/** Checks that are to be run at a target. */
export interface Undertaking {
  readonly options: RunOptions
  readonly cases: readonly Case[]
  /** What the line before the work begins with, e.g. `Judging`. */
  readonly verb: string
  readonly signal: AbortSignal
}

/**
 * All of a visit but the work.
 *
 * @throws {UsageError} when no check is left
 */
export function prepare({ options, cases, verb, signal }: Undertaking): Omit<Errand<never>, 'work'> {
  refuseEmptyPlan(options, cases)
  return {
    options,
    signal,
    describe: (open, scope) => describeRun(verb, open, scope),
    async foresee(settings, open) {
      const platform = settings.platform?.target
      const planned = planAll(cases, { ...options, risk: settings.plugin?.risk ?? options.risk }, open)
      const rehearsal = await rehearse(planned, settings)
      const { mostWrites } = rehearsal
      const mostAccounts = platform === undefined || platform.owned ? 0 : accountsToCreate(planned)
      const accounts = platform === undefined || mostAccounts === 0 ? null : accountsToCome(platform, mostAccounts)
      const shown = showPlan(planned, rehearsal, accounts)
      return { plan: shown, mostWrites, lifeCycle: lifeCycleOf(planned, cases), mostAccounts }
    },
  }
}

/** First what is about the plugin, then what is about the platform: each has a risk of its own. */
export function planAll(cases: readonly Case[], options: RunOptions, open: OpenServers): readonly PlannedCheck[] {
  const { risk, platformRisk, only, skip } = options
  const { target, missing, platform } = open
  const { capabilities } = target
  const shared = target.temporaryKey !== undefined
  const ofPlugin = { checks: cases, risk, capabilities, missing, shared, only, skip }
  const plugin = options.target.kind === 'none' ? [] : plan(ofPlugin)
  if (platform === null) return plugin
  const { maxAccounts: mostAccounts } = platform
  const granted = platform.target.capabilities
  return [...plugin, ...plan({ ...platformApi, risk: platformRisk, capabilities: granted, only, skip, mostAccounts })]
}

/** What the planned checks do to the life of a server that the kit did not start. */
function lifeCycleOf(planned: readonly PlannedCheck[], cases: readonly Case[]): Foreseen['lifeCycle'] {
  const run = new Set(planned.filter(({ outOfScope }) => outOfScope === null).map(({ id }) => id))
  const needs = cases.filter(({ id }) => run.has(id)).flatMap((check) => check.needs ?? [])
  if (needs.includes('launch')) return 'emptied'
  return needs.includes('restart') ? 'restarted' : null
}

function refuseEmptyPlan({ target, platform, risk, only, skip }: RunOptions, cases: readonly Case[]): void {
  const checks = [...(target.kind === 'none' ? [] : cases), ...(platform === null ? [] : platformApi.checks)]
  if (plan({ checks, risk, capabilities: [], only, skip }).length > 0) return
  throw new UsageError(
    'No check is left: --only and --skip leave nothing to run.',
    'They match ids of checks, requirements and questions, as in --only "plugin.delete.*".',
  )
}

function nameOf(choice: TargetChoice): string | null {
  if (choice.kind === 'container') return `the server of the image ${visibleLine(choice.image)}`
  const names = { simulator: 'the embedded simulator', exec: 'the server of --exec', url: 'the server', none: null }
  return names[choice.kind]
}

function describeRun(verb: string, { target, platform }: OpenServers, options: RunOptions): string {
  const { risk, platformRisk, seed, lifeCycle } = options
  const name = nameOf(options.target)
  const operator = lifeCycle === null ? '' : `, life cycle by ${describeOperators(lifeCycle)}`
  const parts = [
    ...(name === null ? [] : [`${name} at ${target.url} (risk ${risk}${operator})`]),
    ...(platform === null ? [] : [`the platform at ${platform.target.url} (risk ${platformRisk})`]),
  ]
  return `${verb} ${parts.join(' and ')}, seed ${seed}`
}
