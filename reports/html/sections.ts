import { groupByClause } from '../clause.ts'
import {
  answerLabel,
  changesLine,
  countStatus,
  differs,
  driftLine,
  failures,
  gateLine,
  plural,
  statuses,
  statusLabels,
  termsLabel,
} from '../phrases.ts'
import type { DriftRecord, GateRecord, Report, ReportedObservation, ReportedRequirement } from '../report.ts'
import { renderExchanges } from './exchange.ts'
import { renderFilter } from './filter.ts'
import { renderPointer, renderRequirement } from './requirement.ts'
import type { Section } from './section.ts'
import { type Html, html } from './template.ts'

/** Failures first and open, then everything by clause. */
export function sectionsOf(report: Report): readonly Section[] {
  const { counting, findings } = failures(report)
  const unjudged = report.requirements.filter(({ status }) => status === 'error' || status === 'blocked')
  const inFull = (id: string, title: string, requirements: readonly ReportedRequirement[], note: string) =>
    requirements.length === 0 ? [] : [attention({ id, title, requirements, note })]
  return [
    ...(report.gate ? [againstBaseline(report.gate)] : []),
    ...(report.drift ? [againstProfile(report.drift, report.scope.strict)] : []),
    ...inFull('failed', 'Failed', counting, 'These decide the verdict.'),
    ...inFull('findings', 'Findings', findings, 'Failures below the level required. They do not decide the verdict.'),
    ...inFull('unjudged', 'Could not be judged', unjudged, 'In scope, but neither passed nor failed.'),
    byClause(report, new Set([...counting, ...findings, ...unjudged])),
    openQuestions(report.observations),
    { id: 'changes', title: 'Changes', count: null, content: renderChanges(report) },
  ]
}

function againstBaseline(gate: GateRecord): Section {
  const findings = gate.findings.map(
    ({ kind, check, message }) => html`<li class="harmed"><b>${kind}</b> <code>${check}</code> ${message}</li>`,
  )
  const excused = gate.excused.map((known) => {
    const terms = termsLabel(known)
    return html`<li>known <code>${known.check}</code> ${known.reason}${terms !== '' && html` <small>${terms}</small>`}</li>`
  })
  const content = html`<p class="note">${gateLine(gate)}.</p><ul>${findings}${excused}</ul>`
  return { id: 'gate', title: 'Deviations from the baseline', count: gate.findings.length, content }
}

function againstProfile(drift: DriftRecord, strict: boolean): Section {
  const findings = drift.findings.map(
    ({ question, text, expected, answer, message }) =>
      html`<li><b>drift</b> <code>${question}</code> ${text} <small>profile <b>${expected}</b>, observed <b>${answer ?? 'none of the known answers'}</b>${message !== null && html` ${message}`}</small></li>`,
  )
  const content = html`<p class="note">${driftLine(drift, strict)}.</p><ul>${findings}</ul>`
  return { id: 'drift', title: 'Drift from the profile', count: drift.findings.length, content }
}

interface Attention {
  readonly id: string
  readonly title: string
  readonly requirements: readonly ReportedRequirement[]
  readonly note: string
}

function attention({ id, title, requirements, note }: Attention): Section {
  const open = (requirement: ReportedRequirement) => requirement.status === 'failed'
  const list = requirements.map((requirement) => renderRequirement(requirement, open(requirement)))
  return { id, title, count: requirements.length, content: html`<p class="note">${note}</p>${list}` }
}

function byClause(report: Report, aboveInFull: ReadonlySet<ReportedRequirement>): Section {
  const groups = groupByClause(report.requirements).map(
    ({ clause, items }) => html`<div class="clause"><h3>Clause ${clause}</h3>
${items.map((item) => (aboveInFull.has(item) ? renderPointer(item) : renderRequirement(item, false)))}</div>`,
  )
  const choices = statuses.flatMap((status) => {
    const count = countStatus(report, status)
    return count === 0 ? [] : [{ id: status, label: `${statusLabels[status]} (${count})` }]
  })
  const content = html`${renderFilter('status', choices)}
${groups}`
  return { id: 'requirements', title: 'Requirements by clause', count: report.requirements.length, content }
}

function openQuestions(observations: readonly ReportedObservation[]): Section {
  const differing = observations.filter(differs)
  const note =
    observations.length === 0
      ? 'No question was observed.'
      : `The specification is silent here, so no answer is wrong. ${plural(differing.length, 'answer differs', 'answers differ')} from the default of the simulator.`
  const rest = observations.filter((observation) => !differs(observation))
  const content = html`<p class="note">${note}</p>${[...differing, ...rest].map(renderObservation)}`
  return { id: 'questions', title: 'Open questions', count: observations.length, content }
}

function renderObservation(observation: ReportedObservation): Html {
  const { question, check, clause, text, message, exchanges } = observation
  const mark = differs(observation)
    ? html`<span class="status differs"><span aria-hidden="true">≠</span> differs</span>`
    : html`<span class="status same"><span aria-hidden="true">=</span> ${observation.answer === null ? 'not observed' : 'default'}</span>`
  return html`<details class="question"><summary>${mark} <span class="headline">${text} <small>answer <b>${answerLabel(observation)}</b>, default ${observation.default}</small></span></summary>
<div class="inside">${message !== null && html`<p>${message}</p>`}<p class="note"><code>${question}</code> clause ${clause}, ${check}</p>${renderExchanges(exchanges, 0)}</div></details>
`
}

function renderChanges(report: Report): Html {
  const { harm } = report
  const line = html`<p class="harm ${harm !== null && !harm.restored && 'harmed'}"><b>${sentence(changesLine(report))}</b></p>`
  if (harm === null) return line
  const interference = harm.interference.map((change) => `concurrent edit: ${change}`)
  const differences = [...interference, ...harm.differences].map((difference) => html`<li>${difference}</li>`)
  return html`${line}${differences.length > 0 && html`<ul>${differences}</ul>`}
<dl><div><dt>Before</dt><dd>${plural(harm.rulesBefore, 'rule')} <code>${harm.hashBefore}</code></dd></div><div><dt>After</dt><dd>${plural(harm.rulesAfter, 'rule')} <code>${harm.hashAfter}</code></dd></div></dl>`
}

const sentence = (line: string) => `${line.charAt(0).toUpperCase()}${line.slice(1)}.`
