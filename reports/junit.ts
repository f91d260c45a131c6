import XMLBuilder from 'fast-xml-builder'
import { groupByClause } from './clause.ts'
import { connectionLines, diagnosisLine, driftLine, plural } from './phrases.ts'
import type { DriftRecord, Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { visible, visibleLine } from './visible.ts'

/** An element for the builder: attributes begin with `@`, the text is `#text`, anything else is a child. */
type Element = Readonly<Record<string, unknown>>

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
})

/** The element for each status: what could not be judged is red or grey, never green. */
const elements = {
  passed: null,
  failed: 'failure',
  error: 'error',
  blocked: 'error',
  'out-of-scope': 'skipped',
  'not-applicable': 'skipped',
} as const

interface TestCase {
  readonly check: ReportedCheck
  readonly requirement: ReportedRequirement
}

/**
 * The report as JUnit XML: a suite per clause, a case per check. Failures of every level are
 * failures here, and so is drift from a profile; their `type` is the level or `drift`, and the
 * verdict is a property of each suite.
 */
export function renderJunit(report: Report): string {
  const suites = groupByClause(report.requirements).map(({ clause, items }) => ({
    clause,
    cases: items.flatMap(cases),
  }))
  const root = {
    ...attributes({
      name: report.kit.name,
      ...withDrift(totals(suites.flatMap((suite) => suite.cases)), report.drift),
    }),
    testsuite: [
      ...suites.map(({ clause, cases }) => suiteOf(report, clause, cases)),
      ...(report.drift ? [driftSuite(report, report.drift)] : []),
    ],
  }
  return builder.build({ '?xml': attributes({ version: '1.0', encoding: 'UTF-8' }), testsuites: root })
}

function attributes(values: Readonly<Record<string, string | number>>): Element {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`@${name}`, String(value)]))
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

function suiteOf(report: Report, clause: string, all: readonly TestCase[]): Element {
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
    ...attributes({ name: `clause ${visibleLine(clause)}`, ...totals(all), timestamp }),
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
  const text = element === 'skipped' ? {} : { '#text': visible(details({ check, requirement })) }
  return { ...testcase, [element]: { ...verdict, ...text } }
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
    ['exchanges', check.exchanges.length > 0 ? plural(check.exchanges.length, 'exchange') : null],
  ] as const
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join('\n')
}

const seconds = (durationMs: number) => (durationMs / 1000).toFixed(3)
