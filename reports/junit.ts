import { levels } from '../spec/requirement.ts'
import type { Exchange, Message } from '../suites/client/exchange.ts'
import { groupByClause } from './clause.ts'
import { attributes, type Element, elements, renderTestSuites, seconds } from './junit-xml.ts'
import { connectionLines, diagnosisLine, driftLine, plural } from './phrases.ts'
import type { DriftRecord, Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { visible, visibleLine } from './visible.ts'

interface TestCase {
  readonly check: ReportedCheck
  readonly requirement: ReportedRequirement
}

/**
 * The report as JUnit XML that Jenkins and GitLab show: a suite per level, a case per check in the order of the
 * clauses. Failures of every level are failures here, and so is drift from a profile; their `type` is the level
 * or `drift`, and the verdict is a property of each suite.
 */
export function renderJunit(report: Report): string {
  const inOrder = groupByClause(report.requirements).flatMap(({ items }) => items)
  const suites = levels.map((level) => ({
    level,
    cases: inOrder.filter((requirement) => requirement.level === level).flatMap(cases),
  }))
  const { skipped: _, ...all } = withDrift(totals(suites.flatMap((suite) => suite.cases)), report.drift)
  const elements = [
    ...suites.map(({ level, cases }) => suiteOf(report, level, cases)),
    ...(report.drift ? [driftSuite(report, report.drift)] : []),
  ]
  return [...renderTestSuites(attributes({ name: report.kit.name, ...all }), elements)].join('')
}

function cases(requirement: ReportedRequirement): TestCase[] {
  return requirement.checks.map((check) => ({ check, requirement }))
}

function totals(all: readonly TestCase[]) {
  const count = (element: 'failure' | 'error' | 'skipped') =>
    all.filter(({ check }) => elements[check.status] === element).length
  const durationMs = all.reduce((sum, { check }) => sum + check.durationMs, 0)
  return {
    tests: all.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(durationMs),
  }
}

function withDrift(all: ReturnType<typeof totals>, drift: Report['drift']): ReturnType<typeof totals> {
  if (!drift) return all
  const failures = drift.findings.length
  return { ...all, tests: all.tests + failures + 1, failures: all.failures + failures }
}

/** One case for each answer that drifted, and one for all others. */
function driftSuite({ scope }: Report, drift: DriftRecord): Element {
  const failures = drift.findings.length
  const drifted = drift.findings.map(({ question, check, text, expected, answer, message }) => {
    const observed = `profile: ${expected}, observed: ${answer ?? 'none of the known answers'}`
    return {
      ...attributes({ name: visibleLine(`${check} ${text}`), classname: question, time: seconds(0) }),
      failure: {
        ...attributes({ message: visibleLine(observed), type: 'drift' }),
        '#text': visible(message ?? observed),
      },
    }
  })
  const name = visibleLine(driftLine(drift, scope.strict))
  return {
    ...attributes({ name: 'profile', tests: failures + 1, failures, errors: 0, skipped: 0, time: seconds(0) }),
    testcase: [...drifted, attributes({ name, classname: 'profile', time: seconds(0) })],
  }
}

function suiteOf(report: Report, level: string, all: readonly TestCase[]): Element {
  const { verdict, seed, scope, target, startedAt } = report
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, '')
  const connection = connectionLines(report).join('; ')
  const diagnosis = diagnosisLine(report)
  const facts = {
    ...{ verdict, seed, risk: scope.risk, target: target.url },
    ...(connection === '' ? {} : { connection }),
    ...(diagnosis === null ? {} : { diagnosis }),
  }
  const property = Object.entries(facts).map(([name, value]) => attributes({ name, value: visibleLine(String(value)) }))
  return {
    ...attributes({ name: level, ...totals(all), timestamp }),
    properties: { property },
    testcase: all.map(caseOf),
  }
}

function caseOf({ check, requirement }: TestCase): Element {
  const name = visibleLine(`${check.id} ${check.title}`)
  const testcase = attributes({ name, classname: visibleLine(requirement.id), time: seconds(check.durationMs) })
  const element = elements[check.status]
  if (element === null) return testcase
  const type = check.status === 'failed' ? requirement.level : check.status
  const verdict = attributes({ message: visibleLine(check.message ?? check.status), type })
  if (element === 'skipped') return { ...testcase, skipped: verdict }
  const text = visible(details({ check, requirement }))
  return { ...testcase, [element]: { ...verdict, '#text': text }, ...evidence(check) }
}

/** The last exchanges of a failure are shown, so that a file of many failures can still be uploaded. */
const mostExchanges = 10

function evidence({ exchanges, exchangesOmitted }: ReportedCheck): Element {
  if (exchanges.length === 0) return {}
  const shown = exchanges.slice(-mostExchanges)
  const omitted = exchangesOmitted + exchanges.length - shown.length
  const first = omitted > 0 ? [`${plural(omitted, 'earlier exchange')} not shown`] : []
  return { 'system-out': visible([...first, ...shown.map(exchangeText)].join('\n\n')) }
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

function details({ check, requirement }: TestCase): string {
  const lines = [
    ['requirement', requirement.statement],
    ['clause', `${requirement.clause} (${requirement.level})`],
    ['consequence', requirement.consequence],
    ['message', check.message],
    ['explained by', check.explainedBy?.join(', ') ?? null],
    ['expected', check.expected],
    ['actual', check.actual],
    ['curl', check.curl],
  ] as const
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join('\n')
}
