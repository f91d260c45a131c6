import { style } from '../../../reports/html/style.ts'
import { type Html, html, trusted } from '../../../reports/html/template.ts'
import type { Selftest } from '../document.ts'
import { renderBanner, renderFacts, renderLaws } from './overview.ts'
import { type Section, sectionsOf } from './sections.ts'
import { matrixStyle } from './style.ts'

/** The kill matrix as one HTML page for people. Like a report it loads nothing and runs nothing. */
export function renderPage(document: Selftest): string {
  const sections = sectionsOf(document)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Kill matrix of ${document.kit.name} ${document.kit.version}</title>
<style>${trusted(style + matrixStyle)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
${renderBanner(document)}
<nav aria-label="Parts of this page">${sections.map(renderLink)}</nav>
<main id="main">
<div class="overview">${renderLaws(document)}${renderFacts(document)}</div>
${sections.map(renderSection)}
</main>
<footer><p>Made by ${document.kit.name} ${document.kit.version}. The same for programs: <code>selftest.json</code>.</p></footer>
</body>
</html>
`
  return page.markup
}

function renderLink({ id, title, count }: Section): Html {
  return html`<a href="#part-${id}">${title} <small>${count}</small></a> `
}

function renderSection({ id, title, count, content }: Section): Html {
  return html`<section id="part-${id}" aria-labelledby="title-${id}"><h2 id="title-${id}">${title} <small>${count}</small></h2>
${content}</section>
`
}
