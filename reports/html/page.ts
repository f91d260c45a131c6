import { gzipSync } from 'node:zlib'
import { failures } from '../phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from '../report.ts'
import { visible } from '../visible.ts'
import { readReportStyle, readScript, readStyle } from './assets.ts'
import { renderBanner, renderOverview } from './overview.ts'
import { renderShell } from './shell.ts'
import { statusBadge } from './status.ts'
import { type Html, html } from './template.ts'

/**
 * The report as one HTML page for people. The verdict and what it is about are markup; everything else is
 * rendered by the script of the page from the report, which the page holds compressed. Without scripts a
 * summary of the failures stays in its place.
 */
export function renderHtml(report: Report): string {
  return renderShell({
    title: `${report.verdict}: ${report.target.url}`,
    style: readStyle() + readReportStyle(),
    banner: renderBanner(report),
    navigation: null,
    results: html`${renderOverview(report)}
<div id="details">${renderFailures(report)}</div>`,
    kit: report.kit,
    otherForms: html` Other formats of this report: <code>report.json</code>, <code>junit.xml</code>, <code>summary.md</code>, <code>exchanges.har</code>.`,
    script: { code: readScript(), data: compressed(report) },
  })
}

/** What a target sent is made visible here, so that the script can show any text as it is. */
function compressed(report: Report): string {
  const json = JSON.stringify(report, (_, value: unknown) => (typeof value === 'string' ? visible(value) : value))
  return gzipSync(json).toString('base64')
}

/** A summary of what failed, for a reader without scripts. */
function renderFailures(report: Report): Html {
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
