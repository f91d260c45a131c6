import type { Paint } from './paint.ts'
import {
  answerLabel,
  changesLine,
  connectionLines,
  countStatus,
  diagnosisLine,
  differs,
  driftLine,
  failures,
  gateLine,
  knownFaultsLine,
  plural,
  statuses,
  statusLabels,
} from './phrases.ts'
import type { DriftRecord, Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { scopeGaps } from './verdict.ts'
import { visible, visibleLine } from './visible.ts'

const verdictColours = { conformant: 'green', partial: 'cyan', 'non-conformant': 'red', incomplete: 'yellow' } as const

/** The end of a run on the terminal: failures first, the verdict last. */
export function renderEnd(report: Report, paint: Paint): string {
  const { counting, findings } = failures(report)
  const blocks = [
    ...counting.map((requirement) => renderFailure(requirement, paint)),
    renderFindings(findings, paint),
    visibleLine(diagnosisLine(report) ?? ''),
    renderUnjudged(report, paint),
    renderScopeGaps(report, paint),
    report.drift ? renderDrift(report.drift, paint) : renderDiffering(report, paint),
    renderGate(report, paint),
    [
      ...connectionLines(report).map((line) => paint('yellow', visibleLine(line))),
      renderCounts(report, paint),
      ...renderKnown(report),
      ...[knownFaultsLine(report)].filter((line) => line !== null),
      ...renderDriftLine(report),
      ...renderChanges(report, paint),
      renderVerdict(report, paint),
    ].join('\n'),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n\n`
}

/** The verdict, what else the exit code depends on, and what became of the list. */
export function renderVerdictAlone(report: Report, paint: Paint): string {
  const others = [...renderKnown(report), ...renderDriftLine(report), ...renderChanges(report, paint)]
  return `${[...others, renderVerdict(report, paint)].join('\n')}\n`
}

/** One failed requirement with everything that is needed to reproduce it. */
function renderFailure(requirement: ReportedRequirement, paint: Paint): string {
  const { id, clause, level, statement, consequence, checks } = requirement
  return [
    `${paint('red', 'FAILED')} ${paint('bold', id)} ${paint('dim', `clause ${clause}, ${level}`)}`,
    `  ${statement}`,
    ...checks.filter((check) => check.status === 'failed').flatMap((check) => failedCheck(check, paint)),
    labelled('consequence', consequence, paint),
  ].join('\n')
}

function failedCheck(check: ReportedCheck, paint: Paint): string[] {
  const optional = (label: string, text: string | null) => (text === null ? [] : [labelled(label, text, paint)])
  return [
    `  ${paint('bold', check.id)} ${visibleLine(check.title)}`,
    ...optional('message', check.message),
    ...optional('expected', check.expected),
    ...optional('actual', check.actual),
    ...optional('reproduce', check.curl && shortScript(check.curl)),
  ]
}

/** The report has a long script as a whole. */
function shortScript(script: string): string {
  const lines = script.split('\n')
  const [first, last] = [lines[0], lines.at(-1)]
  return lines.length <= mostScriptLines
    ? script
    : [first, `# … ${lines.length - 2} more lines, see the report`, last].join('\n')
}

const mostScriptLines = 6

/** A label and a text, whose lines are aligned. */
function labelled(label: string, text: string, paint: Paint): string {
  const [first = '', ...rest] = visible(text).split('\n')
  return [`    ${paint('dim', label.padEnd(11))} ${first}`, ...rest.map((line) => `${' '.repeat(16)}${line}`)].join(
    '\n',
  )
}

function renderFindings(findings: readonly ReportedRequirement[], paint: Paint): string {
  if (findings.length === 0) return ''
  const lines = findings.map(({ id, clause, level, statement, checks }) => {
    const failed = checks.filter((check) => check.status === 'failed').map((check) => check.id)
    return `  ${paint('yellow', 'finding')} ${id} ${paint('dim', `clause ${clause}, ${level}, ${failed.join(', ')}`)}\n    ${statement}`
  })
  return [paint('bold', 'Findings (these do not decide the verdict)'), ...lines].join('\n')
}

/** Checks that could not be judged, grouped by their reason. */
function renderUnjudged(report: Report, paint: Paint): string {
  const idsByReason = new Map<string, string[]>()
  const checks = report.requirements.flatMap((requirement) => requirement.checks)
  const observations = report.observations.map(({ check, status, message }) => ({ id: check, status, message }))
  for (const { id, status, message } of [...checks, ...observations]) {
    if (status !== 'error' && status !== 'blocked') continue
    const reason = `${statusLabels[status]}: ${visibleLine(message ?? 'no reason given')}`
    idsByReason.set(reason, [...(idsByReason.get(reason) ?? []), id])
  }
  if (idsByReason.size === 0) return ''
  const lines = Array.from(idsByReason, ([reason, ids]) => `  ${paint('yellow', shortList(ids))} ${reason}`)
  return [paint('bold', 'Could not be judged'), ...lines].join('\n')
}

/** What was out of scope, grouped by its reason. */
function renderScopeGaps(report: Report, paint: Paint): string {
  const gaps = scopeGaps(report)
  if (gaps.length === 0) return ''
  const lines = gaps.map(({ reason, requirements, checks }) => {
    const count = paint('cyan', `${plural(checks.length, 'check')} of ${plural(requirements.length, 'requirement')}`)
    return `  ${count} ${visibleLine(reason)} ${paint('dim', `(${shortList(requirements)})`)}`
  })
  return [paint('bold', 'Out of scope'), ...lines].join('\n')
}

function shortList(ids: readonly string[]): string {
  const shown = ids.slice(0, 4).join(', ')
  return ids.length > 4 ? `${shown} and ${ids.length - 4} more` : shown
}

function renderDiffering(report: Report, paint: Paint): string {
  const differing = report.observations.filter(differs)
  if (differing.length === 0) return ''
  const title = `${plural(differing.length, 'answer differs', 'answers differ')} from the default of the simulator`
  const lines = differing.map((observation) => {
    const answer = visibleLine(answerLabel(observation))
    return `  ${observation.question} ${paint('cyan', answer)} ${paint('dim', `(default ${observation.default})`)}`
  })
  const more = lines.length - mostAnswersShown
  const rest = more > 0 ? [paint('dim', `  and ${more} more: see the report`)] : []
  return [paint('bold', title), ...lines.slice(0, mostAnswersShown), ...rest].join('\n')
}

/** A correct server may differ in every answer; the report lists them all. */
const mostAnswersShown = 10

/** Replaces the list of differing answers: with a profile, the defaults do not matter. */
function renderDrift({ findings, profile }: DriftRecord, paint: Paint): string {
  if (findings.length === 0) return ''
  const lines = findings.map(({ question, expected, answer, message }) => {
    const seen = visibleLine(answer ?? message ?? 'none of the known answers')
    return `  ${paint('yellow', 'drift')} ${question} ${paint('cyan', seen)} ${paint('dim', `(profile ${expected})`)}`
  })
  return [paint('bold', `Drift from the profile ${visibleLine(profile)}`), ...lines].join('\n')
}

/** The deviations from the baseline. */
function renderGate({ gate }: Report, paint: Paint): string {
  if (!gate || gate.findings.length === 0) return ''
  const lines = gate.findings.map(
    ({ kind, check, message }) => `  ${paint('red', kind)} ${visibleLine(check)} ${visibleLine(message)}`,
  )
  return [paint('bold', `Deviations from the baseline ${visibleLine(gate.baseline)}`), ...lines].join('\n')
}

function renderKnown({ gate }: Report): string[] {
  return gate ? [visibleLine(gateLine(gate))] : []
}

function renderDriftLine({ drift, scope }: Report): string[] {
  return drift ? [visibleLine(driftLine(drift, scope.strict))] : []
}

function renderCounts(report: Report, paint: Paint): string {
  const colours = { passed: 'green', failed: 'red', error: 'red', blocked: 'yellow', 'partly-judged': 'cyan' } as const
  const counts = statuses.flatMap((status) => {
    const count = countStatus(report, status)
    if (count === 0) return []
    const text = `${count} ${statusLabels[status]}`
    return [paint(status in colours ? colours[status as keyof typeof colours] : 'dim', text)]
  })
  return `${plural(report.requirements.length, 'requirement')}: ${counts.join(', ') || 'none'}`
}

function renderChanges({ harm }: Report, paint: Paint): string[] {
  return [
    ...(harm?.interference ?? []).map((line) => `  ${paint('yellow', `concurrent edit: ${visibleLine(line)}`)}`),
    ...(harm?.differences ?? []).map((line) => `  ${paint('red', visibleLine(line))}`),
  ]
}

/** The last line of a run. */
function renderVerdict(report: Report, paint: Paint): string {
  const verdict = paint(verdictColours[report.verdict], report.verdict)
  const changes = changesLine(report)
  const isRestored = report.harm === null || report.harm.restored
  return `${verdict} ${visibleLine(report.explanation)} ${paint(isRestored ? 'dim' : 'red', `(${changes})`)}`
}
