import { plural } from '../../reports/phrases.ts'
import { visibleJson, visibleLine } from '../../reports/visible.ts'
import type { Exchange } from '../../suites/client/exchange.ts'
import { requestLinesIn } from '../../suites/client/raw.ts'
import type { PlannedCheck } from '../../suites/runner/plan.ts'
import { dryRun } from './dry-run.ts'
import type { TargetSession } from './session.ts'

/** Prints what a run would send. Sends nothing to the target. */
export async function showPlan(session: TargetSession, plan: readonly PlannedCheck[]) {
  const document = await planDocument(session, plan)
  const { plan: format } = session.options
  const list = format === 'full' ? `${fullList(document)}\n\n` : ''
  process.stdout.write(format === 'json' ? `${visibleJson(document, 2)}\n` : list + summaryOf(document, session))
}

/** The requests of a dry run, in the format `json`. */
type PlanDocument = Awaited<ReturnType<typeof planDocument>>

async function planDocument({ apis, main, options, signal }: TargetSession, plan: readonly PlannedCheck[]) {
  const { checks, starts: _, ...counts } = await dryRun(apis, plan, signal)
  return {
    apis: apis.map(({ api, url, risk }) => ({ api: api.name, url, risk })),
    seed: options.seed,
    checks: checks.map((check) => ({ ...check, requests: check.requests.map(plannedRequest) })),
    ...counts,
    // Null if no running server is written to, since there is no limit then.
    mostWrites: (main.kind === 'url' && main.estimateWrites?.(plan).most) || null,
    creates: apis.flatMap((api) => api.createdByRun?.(plan) ?? []),
  }
}

/** The body of raw bytes is their request lines. */
function plannedRequest({ method, url, body }: Exchange['request']) {
  return method === 'RAW'
    ? { method, path: '', body: rawText(body ?? '', url) }
    : { method, path: url.replace(/^https?:\/\/[^/]+/, ''), body }
}

/** Only the request lines, without the address of the simulator. */
function rawText(bytes: string, url: string): string {
  const lines = requestLinesIn(bytes).map((line) => line.replace(new URL(url).host, '<host>'))
  return lines.length > 0 ? lines.join(', ') : JSON.stringify(bytes)
}

function summaryOf(document: PlanDocument, session: TargetSession): string {
  const { checks, requests, writes, mostWrites, creates } = document
  const sum = Object.values(requests).reduce((total, count) => total + count, 0)
  const fewer = 'A run sends fewer where checks share responses, and stops before it sends more than'
  const limit = mostWrites === null ? '' : ` ${fewer} ${mostWrites}, clean-up included.`
  const methods = Object.entries(requests).map(([method, count]) => `${methodName(method)} ${count}`)
  return [
    `Plan for ${session.describe()}`,
    '',
    `${plural(checks.filter(({ outOfScope }) => outOfScope === null).length, 'check')} would send ${plural(sum, 'request')}: ${methods.join(', ')}.`,
    `${writes} of them are writes.${limit}`,
    'The numbers come from a dry run against the simulator. Nothing was sent to the target.',
    ...creates.map((created) => `A run creates ${created}.`),
    ...notRun(checks),
    '',
    '`--plan=full` lists the requests of each check. `--plan=json` prints them as JSON.',
    '',
  ].join('\n')
}

/** The number of checks that are not run, by reason. */
function notRun(checks: PlanDocument['checks']): readonly string[] {
  const counts = new Map<string, number>()
  for (const { outOfScope } of checks) {
    if (outOfScope !== null) counts.set(outOfScope, (counts.get(outOfScope) ?? 0) + 1)
  }
  if (counts.size === 0) return []
  return ['', 'Not run:', ...Array.from(counts, ([reason, count]) => `  ${plural(count, 'check')}: ${reason}`)]
}

function fullList({ checks }: PlanDocument): string {
  const blocks = checks.map(({ id, title, outOfScope, requests, requestsOmitted }) => [
    `${id} ${title}`,
    ...(outOfScope === null ? [] : [`  not run: ${outOfScope}`]),
    ...grouped(requests.map(requestLine)),
    ...(requestsOmitted > 0 ? [`  … and ${requestsOmitted} more`] : []),
  ])
  return blocks.flat().join('\n')
}

function requestLine({ method, path, body }: ReturnType<typeof plannedRequest>): string {
  const text = visibleLine((body ?? '').replaceAll(/\s+/g, ' '))
  const parts = [methodName(method), visibleLine(path), text.length > 100 ? `${text.slice(0, 100)}…` : text]
  return parts.filter((part) => part !== '').join(' ')
}

function methodName(method: string): string {
  return method === 'RAW' ? 'raw bytes' : method
}

/** Merges equal consecutive lines. */
function grouped(lines: readonly string[]): readonly string[] {
  const starts = lines.flatMap((line, at) => (line === lines[at - 1] ? [] : at))
  return starts.map((start, group) => {
    const times = (starts[group + 1] ?? lines.length) - start
    return times === 1 ? `  ${lines[start]}` : `  ${lines[start]}  (${times} times)`
  })
}
