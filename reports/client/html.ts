import { pluginQuestions } from '../../spec/plugin/questions.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import { readStyle } from '../html/assets.ts'
import { renderShell } from '../html/shell.ts'
import { type Html, html } from '../html/template.ts'
import type { ClientReportDocument } from './document.ts'

/** The report about a client as one HTML page. */
export function renderClientHtml(report: ClientReportDocument): string {
  const { kit, requests, forgotten, parts, startedAt, endedAt, mistakes } = report
  return renderShell({
    title: 'Client report',
    style: readStyle(),
    banner: banner(report),
    navigation: null,
    results: html`<section><p class="note">${requests} requests from <time>${startedAt}</time> to <time>${endedAt}</time>${parts > 1 && html`, with ${count(parts - 1, 'reset')} in between`}.${forgotten > 0 && html` The journal discarded ${forgotten} earlier ones, which this report does not cover.`}</p></section>
<section aria-labelledby="mistakes"><h2 id="mistakes">Mistakes <small>${mistakes.length}</small></h2>
${mistakes.length === 0 ? html`<p class="note">None.</p>` : kindsOf(mistakes).map(renderKind)}</section>
${renderCoverage(report)}`,
    kit,
    otherForms: null,
  })
}

function banner({ mistakes, coverage, requests }: ClientReportDocument): Html {
  const unmet = coverage.filter(({ times }) => times === 0).length
  const [kind, sign, words] =
    requests === 0
      ? (['incomplete', '?', 'No requests'] as const)
      : mistakes.length > 0
        ? (['non-conformant', '✕', count(mistakes.length, 'mistake')] as const)
        : (['conformant', '✓', 'No mistakes'] as const)
  return html`<header class="banner ${kind}">
<p class="kit">What the requests show about the client</p>
<h1><span aria-hidden="true">${sign}</span> ${words}</h1>
<p>The client met ${coverage.length - unmet} of ${coverage.length} behaviours of the specification.</p>
</header>`
}

type Mistakes = ClientReportDocument['mistakes']

function kindsOf(mistakes: Mistakes): readonly Mistakes[] {
  const kinds = [...new Set(mistakes.map(({ kind }) => kind))]
  return kinds.map((kind) => mistakes.filter((one) => one.kind === kind))
}

function renderKind(mistakes: Mistakes): Html {
  const [first] = mistakes
  if (first === undefined) return html``
  const lines = mistakes.map(
    ({ what, request, ...place }) =>
      html`<li>${placeLabel(place)}: ${what}<br><code>${requestLine(request)}</code></li>`,
  )
  return html`<details class="requirement" open><summary><span class="status failed">${mistakes.length} ×</span>
<span class="headline">${first.remedy}<small><code>${first.kind}</code></small></span></summary>
<div class="inside"><ol>${lines}</ol>${first.requirements.map(renderReason)}</div></details>`
}

function requestLine({ method, target, body, status }: Mistakes[number]['request']): string {
  return `${method} ${target}${body ? ` ${body}` : ''} → ${status ?? 'no response'}`
}

function renderCoverage({ coverage }: ClientReportDocument): Html {
  const unmet = coverage.filter(({ times }) => times === 0)
  const met = coverage.filter(({ times }) => times > 0)
  return html`<section aria-labelledby="unmet"><h2 id="unmet">Not met <small>${unmet.length}</small></h2>
<p class="note">The client was not tested here. Provoke the behaviour with a fault, another key or a small capacity.</p>
${unmet.map(renderEncounter)}</section>
<section aria-labelledby="met"><h2 id="met">Met <small>${met.length}</small></h2>${met.map(renderEncounter)}</section>`
}

function renderEncounter({ what, times, first: place, requirements }: ClientReportDocument['coverage'][number]): Html {
  const status =
    times === 0 ? html`<span class="status blocked">never</span>` : html`<span class="status passed">${times} ×</span>`
  const first = place === null ? '' : `first: ${placeLabel(place)}`
  return html`<details class="requirement"><summary>${status}<span class="headline">${what}<small>${first}</small></span></summary>
<div class="inside">${requirements.map(renderReason)}</div></details>`
}

function renderReason(id: string): Html {
  const requirement = pluginRequirements.find((one) => one.id === id)
  const question = pluginQuestions.find((one) => one.id === id)
  const words = requirement?.statement ?? question?.question ?? ''
  const clause = requirement?.clause ?? question?.clause ?? ''
  return html`<p><code>${id}</code> <small>(${clause})</small> ${words}</p>`
}

function placeLabel({ part, entry }: { readonly part: number; readonly entry: number }): string {
  if (part === 1) return `request ${entry}`
  return `request ${entry} after ${part === 2 ? 'the first reset' : `reset ${part - 1}`}`
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`
}
