import type { CTRFReport, Summary, Test, TestStatus } from 'ctrf'
import { diagnosisLines, driftedAnswers } from './phrases.ts'
import type { DriftRecord, Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { besideRequirements } from './verdict.ts'
import { visibleJson } from './visible.ts'

/** A check that could not be judged has neither passed nor failed. */
const statuses: Readonly<Record<ReportedCheck['status'], TestStatus>> = {
  passed: 'passed',
  failed: 'failed',
  error: 'other',
  blocked: 'other',
  'out-of-scope': 'skipped',
  'not-applicable': 'skipped',
}

/** The report in the Common Test Report Format (ctrf.io): a test for each check, each drifted answer and each other failure. */
export function renderCtrf(report: Report): string {
  const { kit, target, scope, seed, startedAt, verdict, explanation } = report
  const checks = report.requirements.flatMap((requirement) =>
    requirement.checks.map((check) => testOf(check, requirement)),
  )
  const others = besideRequirements(report).map(({ name, about, status, message }): Test => {
    return { name, status: statuses[status], rawStatus: status, duration: 0, suite: [about], message }
  })
  const tests = [...checks, ...(report.drift?.findings ?? []).map(driftTest), ...others]
  const diagnosis = diagnosisLines(report).join(' ')
  const document: CTRFReport = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: startedAt,
    generatedBy: kit.name,
    results: {
      tool: { name: kit.name, version: kit.version, extra: { requirementsVersion: kit.requirementsVersion } },
      summary: summaryOf(report, tests),
      tests,
      environment: {
        ...(target.plugin && { appName: target.plugin.name, appVersion: target.plugin.version }),
        extra: { target: target.url, risk: scope.risk, seed },
      },
      extra: { verdict, explanation, ...(diagnosis !== '' && { diagnosis }) },
    },
  }
  return `${visibleJson(document, 1)}\n`
}

function summaryOf({ startedAt, durationMs }: Report, tests: readonly Test[]): Summary {
  const count = (status: TestStatus) => tests.filter((test) => test.status === status).length
  const start = Date.parse(startedAt)
  return {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    pending: count('pending'),
    other: count('other'),
    start,
    stop: start + Math.round(durationMs),
  }
}

function driftTest(finding: DriftRecord['findings'][number]): Test {
  const { question, check, text } = finding
  const name = `${check} ${text}`
  return {
    name,
    status: 'failed',
    duration: 0,
    suite: ['profile'],
    message: driftedAnswers(finding),
    extra: { question },
  }
}

function testOf(check: ReportedCheck, { id, clause, level, consequence }: ReportedRequirement): Test {
  const { status, message, expected, actual, curl, script = curl, code, explainedBy } = check
  const isFailed = status === 'failed'
  return {
    testId: check.id,
    name: `${check.id} ${check.title}`,
    status: statuses[status],
    rawStatus: status,
    duration: Math.round(check.durationMs),
    suite: [level, `clause ${clause}`, id],
    tags: [level],
    ...(message !== null && { message }),
    ...(isFailed && expected !== null && { trace: `expected: ${expected}\nactual: ${actual ?? ''}` }),
    ...(isFailed && script !== null && { snippet: script }),
    extra: { requirement: id, ...(isFailed && { consequence, code, explainedBy: explainedBy ?? [] }) },
  }
}
