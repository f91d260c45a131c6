import type { RunRecord } from '../../reports/document.ts'
import type { AccountsRecord, Harm } from '../../reports/report.ts'
import { notRun } from '../../suites/engine/not-run.ts'
import type { Outcome } from '../../suites/engine/outcome.ts'
import type { PlannedCheck } from '../../suites/engine/plan.ts'
import { kit } from '../kit.ts'
import { judgedApis } from './judged.ts'
import type { OpenServers } from './open-servers.ts'
import type { RunOptions } from './options.ts'
import type { Found } from './preflight.ts'

/** Everything that is known when the checks have ended and the list was looked at again. */
export interface Finished {
  readonly options: RunOptions
  readonly open: OpenServers
  readonly found: Found
  readonly planned: readonly PlannedCheck[]
  readonly outcomes: readonly Outcome[]
  readonly harm: Harm | null
  /** What was created on the platform of somebody else; null where there is none. */
  readonly accounts: AccountsRecord | null
  readonly startedAt: Date
}

/** What the report is built from. */
export function record(finished: Finished): RunRecord {
  const { options, open, found, planned, outcomes, harm, accounts, startedAt } = finished
  const { risk, only, skip, strict, complete, seed } = options
  const { kind, url, capabilities } = open.target
  const apis = judgedApis(options)
  return {
    kit,
    target: { kind, url, plugin: found.plugin },
    scope: {
      risk: options.target.kind === 'none' ? options.platformRisk : risk,
      capabilities: [...capabilities, ...(open.platform?.target.capabilities ?? [])],
      only,
      skip,
      strict,
      complete,
    },
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    requirements: apis.flatMap(({ requirements }) => requirements),
    questions: apis.flatMap(({ questions }) => questions),
    checks: apis.flatMap(({ checks }) => checks),
    outcomes: [...outcomes, ...interrupted(planned, outcomes)],
    harm,
    platform: open.platform && {
      kind: open.platform.target.owned ? 'simulator' : 'url',
      url: open.platform.target.url,
      risk: options.platformRisk,
      alone: options.target.kind === 'none',
      accounts,
    },
  }
}

/** What was planned and never ran, because the run was broken off. */
function interrupted(planned: readonly PlannedCheck[], outcomes: readonly Outcome[]): readonly Outcome[] {
  const ended = new Set(outcomes.map(({ check }) => check))
  return planned
    .filter(({ id }) => !ended.has(id))
    .map(({ id }) => notRun(id, 'blocked', 'the run was interrupted before this check'))
}
