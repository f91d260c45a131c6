import { gzipSync } from 'node:zlib'
import type { Report } from '../report.ts'
import { visible } from '../visible.ts'
import { readReportStyle, readScript, readStyle } from './assets.ts'
import { renderFailures } from './failures.ts'
import { renderBanner, renderOverview } from './overview.ts'
import { renderShell } from './shell.ts'
import { html } from './template.ts'

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
