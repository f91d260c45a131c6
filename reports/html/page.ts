import type { Report } from '../report.ts'
import { renderBanner, renderCounts, renderFacts } from './overview.ts'
import { renderNavigation, renderSection } from './section.ts'
import { sectionsOf } from './sections.ts'
import { renderShell } from './shell.ts'
import { style } from './style.ts'
import { html } from './template.ts'

/** The report as one HTML page for people. */
export function renderHtml(report: Report): string {
  const sections = sectionsOf(report)
  return renderShell({
    title: `${report.verdict}: ${report.target.url}`,
    style,
    banner: renderBanner(report),
    navigation: renderNavigation('Sections of this report', sections),
    results: html`<div class="overview">${renderFacts(report)}${renderCounts(report)}</div>
${sections.map(renderSection)}`,
    kit: report.kit,
    otherForms: html` Other formats of this report: <code>report.json</code>, <code>junit.xml</code>, <code>summary.md</code>, <code>exchanges.har</code>.`,
  })
}
