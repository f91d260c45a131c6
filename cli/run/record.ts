import type { RunRecord } from '../../reports/document.ts'
import type { Connection } from '../../reports/report.ts'
import { proxyAddress, type Transport } from '../../suites/client/transport.ts'
import { notRun } from '../../suites/runner/not-run.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { kit } from '../kit.ts'
import { judgedApis } from '../target/apis.ts'
import type { CarriedOut } from '../target/carry-out.ts'
import type { Visited } from '../target/session.ts'

/** What the report is built from: everything that is known when the list was looked at again. */
export function record(visited: Visited<CarriedOut>): RunRecord {
  const { options, open, found, result, harm, accounts, startedAt } = visited
  const { risk, only, skip, strict, complete, seed } = options
  const { kind, url, capabilities } = open.target
  const { planned, outcomes } = result
  const apis = judgedApis(options)
  return {
    kit,
    target: { kind, url, plugin: found.plugin, ...(kind === 'url' && connectionOf(open.target)) },
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
      ...(!open.platform.target.owned && connectionOf(open.platform.target)),
      alone: options.target.kind === 'none',
      accounts,
    },
  }
}

function connectionOf({ transport }: { readonly transport: Transport }): { readonly connection: Connection } {
  const { insecure, proxy } = transport
  return { connection: { insecure, proxy: proxy === null ? null : proxyAddress(proxy) } }
}

/** What was planned and never ran, because the run was broken off. */
function interrupted(planned: readonly PlannedCheck[], outcomes: readonly Outcome[]): readonly Outcome[] {
  const ended = new Set(outcomes.map(({ check }) => check))
  return planned
    .filter(({ id }) => !ended.has(id))
    .map(({ id }) => notRun(id, 'blocked', 'the run was interrupted before this check'))
}
