import { readStyle } from '../../../reports/html/assets.ts'
import { renderNavigation, renderSection } from '../../../reports/html/section.ts'
import { renderShell } from '../../../reports/html/shell.ts'
import { html } from '../../../reports/html/template.ts'
import type { Selftest } from '../document.ts'
import { renderBanner, renderFacts, renderLaws } from './overview.ts'
import { sectionsOf } from './sections.ts'
import { matrixStyle } from './style.ts'

/** The kill matrix as one HTML page. */
export function renderPage(document: Selftest): string {
  const { kit } = document
  const sections = sectionsOf(document)
  return renderShell({
    title: `Kill matrix of ${kit.name} ${kit.version}`,
    style: readStyle() + matrixStyle,
    banner: renderBanner(document),
    navigation: renderNavigation('Sections of this page', sections),
    results: html`<div class="overview">${renderLaws(document)}${renderFacts(document)}</div>
${sections.map(renderSection)}`,
    kit,
    otherForms: html` Other format of this page: <code>selftest.json</code>.`,
  })
}
