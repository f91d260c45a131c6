import { levels } from '../../spec/requirement.ts'
import {
  changesLine,
  connectionLines,
  countStatus,
  diagnosisExtent,
  driftLine,
  formatDuration,
  gateLine,
  knownFaultsLine,
  plural,
  statuses,
} from '../phrases.ts'
import type { Diagnosis, Report } from '../report.ts'
import { scopeGaps } from '../verdict.ts'
import { statusBadge } from './status.ts'
import { type Html, html } from './template.ts'

const verdictSigns = { conformant: '✓', partial: '◐', 'non-conformant': '✕', incomplete: '?' } as const
const verdictLabels = {
  conformant: 'Conformant',
  partial: 'Partial',
  'non-conformant': 'Non-conformant',
  incomplete: 'Incomplete',
} as const

/** The verdict, the sentence that explains it, and the faults that explain the failures. */
export function renderBanner(report: Report): Html {
  const { verdict, explanation, kit } = report
  return html`<header class="banner ${verdict}">
<p class="kit">${kit.name} ${kit.version}, requirements ${kit.requirementsVersion}</p>
<h1><span aria-hidden="true">${verdictSigns[verdict]}</span> ${verdictLabels[verdict]}</h1>
<p>${explanation}</p>
${renderDiagnosis(report)}
</header>`
}

function renderDiagnosis({ diagnosis, requirements }: Report): Html | null {
  if (diagnosis === undefined || requirements.every(({ status }) => status !== 'failed')) return null
  const [best, ...others] = diagnosis
  if (best === undefined) return html`<p class="diagnosis">No known fault explains these failures.</p>`
  const number = best.defects.length === 1 ? 'one fault' : 'two faults'
  return html`<div class="diagnosis"><p>Most likely <b>${number}</b> (${diagnosisExtent(best)}):</p>${renderFaults(best)}${
    others.length > 0 &&
    html`<details><summary>${plural(others.length, 'other explanation')}</summary>${others.map((other) => html`<p>${other.score === best.score ? 'As likely' : 'Less likely'} (${diagnosisExtent(other)}):</p>${renderFaults(other)}`)}</details>`
  }</div>`
}

function renderFaults({ defects, summaries }: Diagnosis): Html {
  return html`<ul>${defects.map((id, place) => html`<li>${summaries[place] ?? ''} <code>${id}</code></li>`)}</ul>`
}

/** What was judged and what was not, what happened to the list, and the counts. */
export function renderOverview(report: Report): Html {
  return html`<div class="overview">${renderJudged(report)}${renderCounts(report)}${renderUnjudged(report)}${renderChanges(report)}</div>`
}

type Fact = readonly [name: string, value: string | Html | false | null]

function renderFacts(facts: readonly Fact[]): Html {
  const shown = facts.filter(([, value]) => value !== false && value !== null)
  return html`<dl>${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

function renderJudged(report: Report): Html {
  const { target, platform, scope, seed, startedAt, durationMs, gate, drift } = report
  const plugin = target.plugin === null ? 'not known' : `${target.plugin.name} ${target.plugin.version}`
  const time = startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')
  return html`<section aria-labelledby="judged"><h2 id="judged">What was judged</h2>${renderFacts([
    ['Target', !platform?.alone && html`<code>${target.url}</code> (${target.kind})`],
    ...connectionLines(report).map((line): Fact => ['Connection', line]),
    ['Plugin', !platform?.alone && plugin],
    ['Platform', !!platform && html`<code>${platform.url}</code> (${platform.kind}, risk ${platform.risk})`],
    ['Risk', scope.risk],
    ['Capabilities', list(scope.capabilities)],
    ['Verdict by', scope.strict ? 'all levels (--strict)' : 'the level required'],
    ['Baseline', !!gate && `${gateLine(gate)}.`],
    ['Profile', !!drift && `${driftLine(drift, scope.strict)}.`],
    [
      'Run',
      html`<time datetime="${startedAt}">${time}</time>, ${formatDuration(durationMs)}, seed <code>${seed}</code>`,
    ],
  ])}</section>`
}

const list = (values: readonly string[]) => (values.length === 0 ? 'none' : values.join(', '))

/** Requirements counted by status and level; each count is a link to those requirements. */
function renderCounts(report: Report): Html {
  const cell = (count: number, filter: string) =>
    count === 0 ? html`<td class="zero">0</td>` : html`<td><a href="#find?${filter}">${count}</a></td>`
  const present = statuses.filter((status) => countStatus(report, status) > 0)
  const rows = present.map(
    (status) =>
      html`<tr><th scope="row">${statusBadge(status)}</th>${levels.map((level) => cell(report.summary[level][status], `status=${status}&level=${level}`))}${cell(countStatus(report, status), `status=${status}`)}</tr>`,
  )
  return html`<section aria-labelledby="counts"><h2 id="counts">Requirements by level</h2>
<table><thead><tr><th scope="col">Status</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}<th scope="col">all</th></tr></thead><tbody>${rows}</tbody></table></section>`
}

function renderUnjudged(report: Report): Html {
  const { only, skip, complete } = report.scope
  const gaps = scopeGaps(report)
  const stopped = (['error', 'blocked'] as const).filter((status) => countStatus(report, status) > 0)
  const line = knownFaultsLine(report)
  return html`<section aria-labelledby="unjudged"><h2 id="unjudged">What was not judged</h2>
${gaps.length + stopped.length === 0 && html`<p>Everything was in scope and judged.</p>`}
<ul>${stopped.map((status) => html`<li><a href="#find?status=${status}">${plural(countStatus(report, status), 'requirement')}</a> ${status === 'error' ? 'met an internal error' : 'could not be judged'}</li>`)}${gaps.map(({ reason, requirements, checks }) => html`<li>${plural(checks.length, 'check')} of ${plural(requirements.length, 'requirement')}: ${reason}</li>`)}</ul>
${line !== null && html`<p class="note">${line}</p>`}${renderFacts([
  ['Only', only.length > 0 && list(only)],
  ['Skipped', skip.length > 0 && list(skip)],
  ['Out of scope', complete && 'a requirement makes the verdict incomplete'],
])}</section>`
}

function renderChanges(report: Report): Html {
  const { harm } = report
  const line = changesLine(report)
  const interference = (harm?.interference ?? []).map((change) => `concurrent edit: ${change}`)
  const differences = [...interference, ...(harm?.differences ?? [])].map((difference) => html`<li>${difference}</li>`)
  return html`<section aria-labelledby="changes"><h2 id="changes">What happened to the list</h2>
<p class="harm ${harm !== null && !harm.restored && 'harmed'}">${line.charAt(0).toUpperCase()}${line.slice(1)}.</p>
${differences.length > 0 && html`<ul>${differences}</ul>`}
${
  harm !== null &&
  renderFacts([
    [
      'Before',
      html`${plural(harm.rulesBefore, 'rule')} <code title="${harm.hashBefore}">${harm.hashBefore.slice(0, 12)}</code>`,
    ],
    [
      'After',
      html`${plural(harm.rulesAfter, 'rule')} <code title="${harm.hashAfter}">${harm.hashAfter.slice(0, 12)}</code>`,
    ],
  ])
}</section>`
}
