import { create } from 'xmlbuilder2'
import { groupByClause } from './clause.ts'
import type { DriftRecord, Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { visible, visibleLine } from './visible.ts'
import { connectionLines, driftLine, plural } from './wording.ts'

type Element = ReturnType<ReturnType<typeof create>['ele']>

/** What a test reporter is told: what could not be judged is red or grey, never green. */
const elements = {
  passed: null,
  failed: 'failure',
  error: 'error',
  blocked: 'error',
  'out-of-scope': 'skipped',
  'not-applicable': 'skipped',
} as const

interface Case {
  readonly check: ReportedCheck
  readonly requirement: ReportedRequirement
}

/**
 * The report as JUnit XML: a suite per clause, a case per check. Failures of every level are
 * failures here, and so is drift from a profile; their `type` is the level or `drift`, and the
 * verdict is a property of the whole.
 */
export function renderJunit(report: Report): string {
  const suites = groupByClause(report.requirements).map(({ clause, items }) => ({
    clause,
    cases: items.flatMap(cases),
  }))
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: report.kit.name,
    ...withDrift(totals(suites.flatMap((suite) => suite.cases)), report.drift),
  })
  for (const suite of suites) addSuite({ root, report, ...suite })
  if (report.drift) addDrift(root, report, report.drift)
  return `${root.end({ prettyPrint: true })}\n`
}

function cases(requirement: ReportedRequirement): Case[] {
  return requirement.checks.map((check) => ({ check, requirement }))
}

function totals(all: readonly Case[]) {
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

/** One case for each answer that drifted, and one for all others together. */
function addDrift(root: Element, report: Report, drift: DriftRecord): void {
  const counts = { tests: drift.findings.length + 1, failures: drift.findings.length, errors: 0, skipped: 0 }
  const suite = root.ele('testsuite', { name: 'profile', ...counts, time: seconds(0) })
  for (const { question, check, text, expected, answer, message } of drift.findings) {
    const testcase = suite.ele('testcase', {
      name: visibleLine(`${check} ${text}`),
      classname: question,
      time: seconds(0),
    })
    const seen = `profile: ${expected}, seen: ${answer ?? 'none of the known answers'}`
    testcase.ele('failure', { message: visibleLine(seen), type: 'drift' }).txt(visible(message ?? seen))
  }
  const name = visibleLine(driftLine(drift, report.scope.strict))
  suite.ele('testcase', { name, classname: 'profile', time: seconds(0) })
}

interface Suite {
  readonly root: Element
  readonly report: Report
  readonly clause: string
  readonly cases: readonly Case[]
}

function addSuite({ root, report, clause, cases }: Suite): void {
  const timestamp = report.startedAt.replace(/(\.\d+)?Z$/, '')
  const suite = root.ele('testsuite', { name: `clause ${visibleLine(clause)}`, ...totals(cases), timestamp })
  const properties = suite.ele('properties')
  const { verdict, seed, scope, target } = report
  const connection = connectionLines(report).join('; ')
  const facts = { verdict, seed, risk: scope.risk, target: target.url, ...(connection === '' ? {} : { connection }) }
  for (const [name, value] of Object.entries(facts)) {
    properties.ele('property', { name, value: visibleLine(String(value)) })
  }
  for (const one of cases) addCase(suite, one)
}

function addCase(suite: Element, { check, requirement }: Case): void {
  const testcase = suite.ele('testcase', {
    name: visibleLine(`${check.id} ${check.title}`),
    classname: visibleLine(requirement.id),
    time: seconds(check.durationMs),
  })
  const element = elements[check.status]
  if (element === null) return
  const type = check.status === 'failed' ? requirement.level : check.status
  const verdict = testcase.ele(element, { message: visibleLine(check.message ?? check.status), type })
  if (element !== 'skipped') verdict.txt(visible(details({ check, requirement })))
}

function details({ check, requirement }: Case): string {
  const lines = [
    ['requirement', requirement.statement],
    ['clause', `${requirement.clause} (${requirement.level})`],
    ['consequence', requirement.consequence],
    ['message', check.message],
    ['expected', check.expected],
    ['actual', check.actual],
    ['curl', check.curl],
    ['exchanges', check.exchanges.length > 0 ? plural(check.exchanges.length, 'exchange') : null],
  ] as const
  return lines.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join('\n')
}

const seconds = (durationMs: number) => (durationMs / 1000).toFixed(3)
