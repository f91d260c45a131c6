import type { Exchange } from '../../suites/client/exchange.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { titles } from './apis.ts'
import type { RunEstimate } from './estimate.ts'
import type { TargetSession } from './session.ts'
import { writesOf } from './writes.ts'

/** Every request that would be sent, grouped by check, the sum of writes, and which accounts would be created. */
export function showPlan(
  { apis }: TargetSession,
  plan: readonly PlannedCheck[],
  { outcomes, mostWrites }: RunEstimate,
): string {
  const byId = new Map(outcomes.map((outcome) => [outcome.check, outcome]))
  const blocks = plan.map(({ id, outOfScope }) => {
    const head = `${id} ${titles.get(id) ?? ''}`
    if (outOfScope !== null) return `${head}\n  not run: ${outOfScope}`
    return [head, ...requestLines(byId.get(id))].join('\n')
  })
  const writes = outcomes.reduce((sum, outcome) => sum + writesOf(outcome), 0)
  return [
    ...blocks,
    '',
    `${plan.filter(({ outOfScope }) => outOfScope === null).length} checks, ${writes} writes in a dry run against the simulator; a run stops before it sends more than ${mostWrites}, clean-up included.`,
    ...apis.flatMap((api) => api.createdByRun(plan) ?? []).map((created) => `A run creates ${created}.`),
    'Nothing was sent to the target.',
    '',
  ].join('\n')
}

/** Equal requests in a row as one line. */
function requestLines(outcome: Outcome | undefined): readonly string[] {
  if (outcome === undefined) return []
  const lines = outcome.exchanges.map(({ request }) => `  ${request.method} ${pathOf(request)}${bodyOf(request)}`)
  const grouped: { line: string; times: number }[] = []
  for (const line of lines) {
    const last = grouped.at(-1)
    if (last?.line === line) last.times += 1
    else grouped.push({ line, times: 1 })
  }
  const rest = outcome.exchangesOmitted > 0 ? [`  … and ${outcome.exchangesOmitted} more`] : []
  return [...grouped.map(({ line, times }) => (times === 1 ? line : `${line}  (${times} times)`)), ...rest]
}

function pathOf({ url }: Exchange['request']): string {
  return url.replace(/^https?:\/\/[^/]+/, '')
}

function bodyOf({ body }: Exchange['request']): string {
  if (body === null) return ''
  const text = body.replaceAll(/\s+/g, ' ')
  return ` ${text.length > 100 ? `${text.slice(0, 100)}…` : text}`
}
