import { levels } from '../spec/requirement.ts'
import type { Exchange, Message } from '../suites/client/exchange.ts'
import { elements, renderTestSuites, type TestCase, type TestSuite } from './junit-xml.ts'
import { connectionLines, diagnosisLines, driftedAnswers, driftLine, groupByClause, plural } from './phrases.ts'
import type { DriftRecord, Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { besideRequirements } from './verdict.ts'

/**
 * The report as JUnit XML for Jenkins and GitLab: a suite per level, a case per check in the order of the clauses.
 * Failures of all levels and drift from a profile are failures with the level or `drift` as their `type`. The suite `run`
 * has what no check shows. The verdict is a property of each suite.
 */
export function renderJunit(report: Report): string {
  const { kit, startedAt, drift, scope } = report
  const properties = propertiesOf(report)
  const inOrder = groupByClause(report.requirements).flatMap(({ items }) => items)
  const suites = levels.map((level): TestSuite => {
    const requirements = inOrder.filter((requirement) => requirement.level === level)
    const cases = requirements.flatMap((one) => one.checks.map((check) => caseOf(check, one)))
    return { name: level, cases, startedAt, properties }
  })
  const others = besideRequirements(report).map(({ name, about, status, message }): TestCase => {
    const outcome = { element: elements[status] ?? 'error', type: status, message } as const
    return { name, classname: about, durationMs: 0, outcome }
  })
  const all = [
    ...suites,
    ...(drift ? [driftSuite(drift, scope.strict)] : []),
    ...(others.length > 0 ? [{ name: 'run', cases: others, startedAt, properties }] : []),
  ]
  return [...renderTestSuites(kit.name, all)].join('')
}

function propertiesOf(report: Report): Readonly<Record<string, string>> {
  const { verdict, seed, scope, target } = report
  const connection = connectionLines(report).join('; ')
  const diagnosis = diagnosisLines(report).join(' ')
  return {
    ...{ verdict, seed: String(seed), risk: scope.risk, target: target.url },
    ...(connection !== '' && { connection }),
    ...(diagnosis !== '' && { diagnosis }),
  }
}

/** One case for each answer that drifted, and one for all others. */
function driftSuite(drift: DriftRecord, strict: boolean): TestSuite {
  const drifted = drift.findings.map((finding): TestCase => {
    const { question, check, text, message } = finding
    const observed = driftedAnswers(finding)
    const outcome = { element: 'failure', type: 'drift', message: observed, text: message ?? observed } as const
    return { name: `${check} ${text}`, classname: question, durationMs: 0, outcome }
  })
  const all = { name: driftLine(drift, strict), classname: 'profile', durationMs: 0 }
  return { name: 'profile', cases: [...drifted, all] }
}

function caseOf(check: ReportedCheck, requirement: ReportedRequirement): TestCase {
  const { id, title, status, durationMs, message } = check
  const testcase = { name: `${id} ${title}`, classname: requirement.id, durationMs }
  const element = elements[status]
  if (element === null) return testcase
  const outcome = { element, type: status === 'failed' ? requirement.level : status, message: message ?? status }
  if (element === 'skipped') return { ...testcase, outcome }
  return { ...testcase, outcome: { ...outcome, text: details(check, requirement) }, output: evidence(check) }
}

/** Only the last exchanges of a failure are included, so that files with many failures can be uploaded. */
const maxExchanges = 10

function evidence({ exchanges, exchangesOmitted }: ReportedCheck): string {
  if (exchanges.length === 0) return ''
  const shown = exchanges.slice(-maxExchanges)
  const omitted = exchangesOmitted + exchanges.length - shown.length
  const first = omitted > 0 ? [`${plural(omitted, 'earlier exchange')} not shown`] : []
  return [...first, ...shown.map(exchangeText)].join('\n\n')
}

function exchangeText({ id, request, response, failure }: Exchange): string {
  const status = response === null ? `no response: ${failure ?? 'unknown reason'}` : String(response.status)
  return [
    `${id}: ${request.method} ${request.url}`,
    ...messageLines(request),
    `-> ${status}`,
    ...messageLines(response),
  ].join('\n')
}

function messageLines(message: Message | null): string[] {
  if (message === null) return []
  return [...message.headers.map(([name, value]) => `${name}: ${value}`), ...(message.body ? ['', message.body] : [])]
}

function details(check: ReportedCheck, requirement: ReportedRequirement): string {
  const lines = [
    ['requirement', requirement.statement],
    ['clause', `${requirement.clause} (${requirement.level})`],
    ['consequence', requirement.consequence],
    ['message', check.message],
    ['explained by', check.explainedBy?.join(', ') ?? null],
    ['expected', check.expected],
    ['actual', check.actual],
    ['reproduce', check.script ?? check.curl],
  ] as const
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join('\n')
}
