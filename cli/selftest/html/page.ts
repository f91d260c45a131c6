import { readStyle } from '../../../reports/html/assets.ts'
import { renderNavigation, renderSection } from '../../../reports/html/section.ts'
import { renderShell } from '../../../reports/html/shell.ts'
import { html } from '../../../reports/html/template.ts'
import type { Selftest } from '../document.ts'
import { kills } from '../verdicts.ts'
import { renderBanner, renderFacts, renderLaws } from './overview.ts'
import { sectionsOf } from './sections.ts'

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

const parts = `
h1 { font-size: 1.9rem; }
.laws td { text-align: left; font-weight: 400; } .laws td:last-child { font-weight: 400; } .laws small { display: block; }
.laws th { vertical-align: top; padding-right: 1rem; }
.findings { padding-left: 1.2rem; } .findings li { color: var(--red); margin: .3rem 0; overflow-wrap: anywhere; }
.requirement.missed { border-left: .3rem solid var(--red); }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .85rem; max-width: none; }
.grid { overflow: auto; max-height: 70vh; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); padding: .5rem; }
.grid text { font: 9px ui-monospace, Menlo, Consolas, monospace; fill: var(--soft); }
.grid line { stroke: var(--line); stroke-width: 1; }
rect.caught { fill: var(--green); } rect.missed { fill: var(--red); } rect.hidden { fill: var(--amber); }
rect.also { fill: var(--blue); opacity: .55; } rect.blocked { fill: none; stroke: var(--soft); }
.columns { width: 100%; } .columns th:first-child { width: 60%; } .columns thead th { white-space: nowrap; }
.columns th small { display: block; } td:last-child { font-weight: 400; } .bad { color: var(--red); font-weight: 700; }
tr:target { outline: 2px solid var(--link); }
@media print { .grid { max-height: none; } }
`

/** A chosen verdict hides the defects of any other. */
const filter = kills
  .map(
    (kill) => `
body:has(#show-${kill}:checked) .clause [data-status]:not([data-status="${kill}"]) { display: none; }`,
  )
  .join('')

/** The additions of the kill matrix to the style sheet of the report. */
const matrixStyle = parts + filter
