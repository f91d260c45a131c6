import type { RunRecord } from '../../reports/document.ts'
import type { Connection } from '../../reports/report.ts'
import { proxyAddress, type Transport } from '../../suites/client/transport.ts'
import { notRun, type Outcome } from '../../suites/runner/outcome.ts'
import { leftOut } from '../../suites/runner/plan.ts'
import { Interruption } from '../interruption.ts'
import { kit } from '../kit.ts'
import type { Verification } from '../target/api.ts'
import { platformApi } from '../target/platform/api.ts'
import { type ReadySession, runCases } from '../target/session.ts'
import { countKnownFaults, mostSpecificFaults } from './known-faults.ts'

/** What the report is built from. */
export function record(session: ReadySession, outcomes: readonly Outcome[], verification: Verification): RunRecord {
  const { options, apis, main, startedAt, startedMs } = session
  const { only, skip, strict, complete, seed } = options
  const judged = outcomes.filter(({ status }) => status === 'passed' || status === 'failed')
  const judgedApis = apis.map(({ api, risk }) => ({ ...api, risk }))
  const platform = apis.find(({ api }) => api === platformApi)
  return {
    kit,
    target: {
      ...{ kind: main.kind, url: main.url, plugin: main.identity },
      ...(main.kind === 'url' && connectionOf(main)),
      ...(options.capacity !== null && { capacity: options.capacity }),
    },
    scope: {
      risk: main.risk,
      capabilities: apis.flatMap(({ capabilities }) => capabilities),
      ...{ only, skip, strict, complete },
      knownFaults: countKnownFaults(judgedApis, new Set(judged.map(({ check }) => check))),
    },
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - startedMs),
    requirements: judgedApis.flatMap(({ requirements }) => requirements),
    questions: judgedApis.flatMap(({ questions }) => questions),
    checks: runCases(judgedApis),
    outcomes: [...outcomes, ...interrupted(session, outcomes)],
    defectsOf: mostSpecificFaults(judgedApis),
    harm: verification.harm,
    ...(platform !== undefined && {
      platform: {
        ...{ kind: platform.kind === 'url' ? 'url' : 'simulator', url: platform.url, risk: platform.risk },
        ...(platform.kind === 'url' && connectionOf(platform)),
        alone: platform === main,
        accounts: verification.accounts,
      },
    }),
  }
}

function connectionOf({ transport }: { readonly transport: Transport }): { readonly connection: Connection } {
  const { insecure, proxy } = transport
  return { connection: { insecure, proxy: proxy === null ? null : proxyAddress(proxy) } }
}

/** The planned checks that did not run because the run was interrupted. */
function interrupted({ planned, signal, shared }: ReadySession, outcomes: readonly Outcome[]) {
  const reason = signal.reason instanceof Interruption ? `: ${shared.redact(signal.reason.message)}` : ''
  const ended = new Set(outcomes.map(({ check }) => check))
  return planned
    .filter(({ id }) => !ended.has(id))
    .map((check) => leftOut(check) ?? notRun(check.id, 'blocked', `the run was interrupted before this check${reason}`))
}
