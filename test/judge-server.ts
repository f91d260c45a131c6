import { foreignRules, type ServerToJudge as Judged, judgeServer as judge } from '../cli/target/plugin/self-test.ts'
import { pluginChecks, pluginObservations } from '../suites/checks/plugin/all.ts'
import type { Outcome } from '../suites/runner/outcome.ts'
import { plan } from '../suites/runner/plan.ts'

/** Defaults: risk `exclusive`, no rules that must stay, an unknown syntax, every check and observation of the plugin. */
export type ServerToJudge = Pick<Judged, 'driver' | 'capabilities' | 'capacity' | 'seed'> &
  Partial<Judged> & { readonly only?: readonly string[] }

/** Runs the chosen checks in this thread against a server of this driver. */
export function judgeServer({ only = [], ...judged }: ServerToJudge): Promise<readonly Outcome[]> {
  const { checks = [...pluginChecks, ...pluginObservations], ...given } = judged
  const chosen = new Set(plan({ checks, risk: 'exclusive', capabilities: [], only, skip: [] }).map(({ id }) => id))
  const defaults = { risk: 'exclusive', shared: false, rules: foreignRules, copySyntax: null } as const
  return judge({ ...defaults, ...given, checks: checks.filter(({ id }) => chosen.has(id)) })
}
