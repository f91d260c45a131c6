import { failures } from '../phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from '../report.ts'
import { statusBadge } from './status.ts'
import { type Html, html } from './template.ts'

/** A summary of what failed, for a reader without scripts. */
export function renderFailures(report: Report): Html {
  const { counting, findings } = failures(report)
  const all = [...counting, ...findings]
  return html`<section aria-labelledby="failed"><h2 id="failed">Failures <small>${all.length}</small></h2>
<p class="note">A browser that runs scripts shows the evidence, the other requirements and the open questions here. <code>summary.md</code> holds them too.</p>
${all.map(renderFailure)}</section>`
}

function renderFailure({ id, clause, level, statement, status, consequence, checks }: ReportedRequirement): Html {
  return html`<div class="requirement ${status}"><div class="inside"><p>${statusBadge(status)} <b>${statement}</b> <small><code>${id}</code> clause ${clause}, ${level}</small></p>
<p>${consequence}</p>
<ul>${checks.filter((check) => check.status === 'failed').map(renderCheck)}</ul></div></div>
`
}

function renderCheck({ id, title, message }: ReportedCheck): Html {
  return html`<li><b>${id}</b> ${title}<br>${message}</li>`
}
