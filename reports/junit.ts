import XMLBuilder from 'fast-xml-builder'
import { levels } from '../spec/requirement.ts'
import type { Exchange, Message } from '../suites/client/exchange.ts'
import { groupByClause } from './clause.ts'
import { connectionLines, diagnosisLines, driftLine, plural } from './phrases.ts'
import type { DriftRecord, Report, ReportedCheck, ReportedRequirement, RequirementStatus } from './report.ts'
import { visible, visibleLine } from './visible.ts'

/**
 * The report as JUnit XML for Jenkins and GitLab: a suite per level, a case per check in the order of the clauses.
 * Failures of all levels and drift from a profile are failures with the level or `drift` as their `type`. The verdict
 * is a property of each suite.
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
  const all = drift ? [...suites, driftSuite(drift, scope.strict)] : suites
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
  const drifted = drift.findings.map(({ question, check, text, expected, answer, message }): TestCase => {
    const observed = `profile: ${expected}, observed: ${answer ?? 'none of the known answers'}`
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

/** The element for each status. Unjudged cases are shown as errors or skipped, never as passed. */
export const elements = {
  passed: null,
  'partly-judged': null,
  failed: 'failure',
  error: 'error',
  blocked: 'error',
  'out-of-scope': 'skipped',
  'not-applicable': 'skipped',
} as const satisfies Record<RequirementStatus, string | null>

/** One case of a suite. Its texts are not escaped. */
export interface TestCase {
  readonly name: string
  readonly classname: string
  readonly durationMs: number
  /** Absent for a passed case. */
  readonly outcome?: {
    readonly element: 'failure' | 'error' | 'skipped'
    readonly type: string
    readonly message: string
    readonly text?: string
  }
  readonly output?: string
}

export interface TestSuite {
  readonly name: string
  readonly cases: readonly TestCase[]
  /** Default: the sum of its cases. */
  readonly durationMs?: number
  readonly startedAt?: string
  readonly properties?: Readonly<Record<string, string>>
}

/** An element for the builder: attributes begin with `@`, the text is `#text`, anything else is a child. */
type Element = Readonly<Record<string, unknown>>

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
})

/** Yields a JUnit file in one chunk for each suite, since a fleet has many. */
export function* renderTestSuites(name: string, suites: readonly TestSuite[]): Generator<string> {
  // The root has no `skipped`: GitLab and Jenkins know it only for a suite.
  const { skipped: _, ...all } = totals(
    suites.flatMap(({ cases }) => cases),
    suites.reduce((sum, suite) => sum + durationOf(suite), 0),
  )
  const place = '(suites)'
  const xml = attributes({ version: '1.0', encoding: 'UTF-8' })
  const root = { ...attributes({ name, ...all }), '#text': place }
  const [head = '', end = ''] = String(builder.build({ '?xml': xml, testsuites: root })).split(place)
  yield `${head}\n`
  for (const suite of suites) yield builder.build({ testsuite: suiteElement(suite) })
  yield end
}

const durationOf = ({ cases, durationMs }: TestSuite) =>
  durationMs ?? cases.reduce((sum, one) => sum + one.durationMs, 0)

function totals(cases: readonly TestCase[], durationMs: number) {
  const count = (element: string) => cases.filter(({ outcome }) => outcome?.element === element).length
  return {
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(durationMs),
  }
}

function suiteElement(suite: TestSuite): Element {
  const { name, cases, startedAt, properties } = suite
  const timestamp = startedAt?.replace(/(\.\d+)?Z$/, '')
  const property = Object.entries(properties ?? {}).map(([key, value]) => attributes({ name: key, value }))
  return {
    ...attributes({ name, ...totals(cases, durationOf(suite)), ...(timestamp && { timestamp }) }),
    ...(properties && { properties: { property } }),
    testcase: cases.map(caseElement),
  }
}

function caseElement({ name, classname, durationMs, outcome, output }: TestCase): Element {
  const testcase = attributes({ name, classname, time: seconds(durationMs) })
  if (outcome === undefined) return testcase
  const { element, type, message, text } = outcome
  const content = { ...attributes({ message, type }), ...(text && { '#text': visible(text) }) }
  return { ...testcase, [element]: content, ...(output && { 'system-out': visible(output) }) }
}

function attributes(values: Readonly<Record<string, string | number>>): Element {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`@${name}`, visibleLine(String(value))]))
}

const seconds = (durationMs: number) => (durationMs / 1000).toFixed(3)
