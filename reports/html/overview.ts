import { levels } from '../../spec/requirement.ts'
import { changesLine, connectionLines, countStatus, diagnosisLine, formatDuration, statuses } from '../phrases.ts'
import type { Report } from '../report.ts'
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
  const diagnosis = diagnosisLine(report)
  return html`<header class="banner ${verdict}">
<p class="kit">${kit.name} ${kit.version}, requirements ${kit.requirementsVersion}</p>
<h1><span aria-hidden="true">${verdictSigns[verdict]}</span> ${verdictLabels[verdict]}</h1>
<p>${explanation}</p>${
    diagnosis !== null &&
    html`
<p>${withCode(diagnosis)}</p>`
  }
</header>`
}

/** A text whose parts between backticks are code. */
function withCode(text: string): Html[] {
  return text.split('`').map((part, place) => (place % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}

/** The targets, the scope, the time and the seed. */
export function renderFacts(report: Report): Html {
  const { target, platform, scope, seed, startedAt, durationMs } = report
  const plugin = target.plugin === null ? 'not known' : `${target.plugin.name} ${target.plugin.version}`
  const list = (values: readonly string[]) => (values.length === 0 ? 'none' : values.join(', '))
  const facts: [string, string | Html | false][] = [
    ['Target', !platform?.alone && html`<code>${target.url}</code> (${target.kind})`],
    ...connectionLines(report).map((line): [string, string] => ['Connection', line]),
    ['Plugin', !platform?.alone && plugin],
    ['Platform', !!platform && html`<code>${platform.url}</code> (${platform.kind}, risk ${platform.risk})`],
    ['Risk', scope.risk],
    ['Capabilities', list(scope.capabilities)],
    ['Only', scope.only.length > 0 && list(scope.only)],
    ['Skipped', scope.skip.length > 0 && list(scope.skip)],
    ['Verdict by', scope.strict ? 'all levels (--strict)' : 'the level required'],
    ['Out of scope', scope.complete && 'a requirement makes the verdict incomplete'],
    ['Seed', html`<code>${seed}</code>`],
    [
      'Started',
      html`<time datetime="${startedAt}">${startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`,
    ],
    ['Duration', formatDuration(durationMs)],
    ['Changes', html`<a href="#part-changes">${changesLine(report)}</a>`],
  ]
  const shown = facts.filter(([, value]) => value !== false)
  return html`<section aria-labelledby="judged"><h2 id="judged">Target and scope</h2>
<dl>${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`
}

/** Requirements counted by status and level. */
export function renderCounts(report: Report): Html {
  const cell = (count: number) => html`<td${count === 0 && html` class="zero"`}>${count}</td>`
  const rows = statuses.map(
    (status) =>
      html`<tr><th scope="row">${statusBadge(status, countStatus(report, status) > 0)}</th>${levels.map((level) => cell(report.summary[level][status]))}${cell(countStatus(report, status))}</tr>`,
  )
  return html`<section aria-labelledby="counts"><h2 id="counts">Requirements by level</h2>
<table><thead><tr><th scope="col">Status</th>${levels.map((level) => html`<th scope="col">${level}</th>`)}<th scope="col">all</th></tr></thead><tbody>${rows}</tbody></table></section>`
}
