import type { Report, ReportedCheck, ReportedRequirement } from '../../reports/report.ts'
import { visibleLine } from '../../reports/visible.ts'
import { type Baseline, baselineSchema, type KnownFailure } from './baseline.ts'
import { countingFailures } from './judge-gate.ts'
import { signatureOf } from './signature.ts'

/**
 * A baseline of the failures in a report, with empty reasons. Entries of an earlier baseline stay if their check fails
 * as before or could not be judged.
 */
export function baselineOf(report: Report, earlier: Baseline | null): Baseline {
  const known = new Map((earlier?.knownFailures ?? []).map((entry) => [entry.check, entry]))
  const failing = new Map(countingFailures(report).map((check) => [check.id, check]))
  const entries = report.requirements.flatMap(({ checks }) =>
    checks.flatMap((check): KnownFailure[] => {
      const entry = known.get(check.id)
      if (failing.has(check.id)) return [describe(check, entry)]
      return entry !== undefined && check.status !== 'passed' ? [entry] : []
    }),
  )
  return { schema: baselineSchema, knownFailures: entries }
}

function describe(check: ReportedCheck, entry: KnownFailure | undefined): KnownFailure {
  const signature = signatureOf(check)
  if (entry?.signature === signature) return entry
  return { check: check.id, reason: '', signature, owner: null, expires: null }
}

export function baselineJson({ schema, knownFailures }: Baseline): string {
  const entries = knownFailures.map(({ owner, expires, ...entry }) => ({
    ...entry,
    ...(owner === null ? {} : { owner }),
    ...(expires === null ? {} : { expires }),
  }))
  return `${JSON.stringify({ schema, knownFailures: entries }, null, 2)}\n`
}

/** YAML, with comments that say how each check failed. */
export function baselineYaml({ schema, knownFailures }: Baseline, report: Report): string {
  const head = [
    '# Known failures, for copytrade-tck run --baseline. Every entry needs a reason; it may also have',
    '# an owner ("owner: name") and a last day ("expires: 2026-12-31").',
    `schema: ${schema}`,
  ]
  if (knownFailures.length === 0) return `${[...head, 'knownFailures: []'].join('\n')}\n`
  const entries = knownFailures.flatMap((entry) => ['', ...comments(entry.check, report), ...entryLines(entry)])
  return `${[...head, 'knownFailures:', ...entries.slice(1)].join('\n')}\n`
}

function comments(id: string, report: Report): readonly string[] {
  const requirement = report.requirements.find(({ checks }) => checks.some((check) => check.id === id))
  const check = requirement?.checks.find((one) => one.id === id)
  if (requirement === undefined || check === undefined) return []
  return [check.title, about(requirement), ...(check.message === null ? [] : [check.message])].map(
    (text) => `  # ${visibleLine(text)}`,
  )
}

function about({ id, clause, level }: ReportedRequirement): string {
  return `${id}, clause ${clause}, ${level}`
}

/** Every JSON string is a valid YAML string. */
function entryLines({ check, reason, signature, owner, expires }: KnownFailure): readonly string[] {
  const optional = (key: string, value: string | null) =>
    value === null ? [] : [`    ${key}: ${JSON.stringify(value)}`]
  return [
    `  - check: ${JSON.stringify(check)}`,
    `    reason: ${JSON.stringify(reason)}`,
    `    signature: ${JSON.stringify(signature)}`,
    ...optional('owner', owner),
    ...optional('expires', expires),
  ]
}
