import type { Report } from '../report.ts'
import { renderBanner, renderCounts, renderFacts } from './overview.ts'
import { type Section, sectionsOf } from './sections.ts'
import { style } from './style.ts'
import { type Html, html, trusted } from './template.ts'

/**
 * The report as one HTML page for people. It loads nothing and runs nothing: the policy in its head
 * forbids scripts, so that not even a mistake here could run what a target sent.
 */
export function renderHtml(report: Report): string {
  const sections = sectionsOf(report)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${report.verdict}: ${report.target.url}</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
${renderBanner(report)}
<nav aria-label="Parts of this report">${sections.map(renderLink)}</nav>
<main id="main">
<div class="overview">${renderFacts(report)}${renderCounts(report)}</div>
${sections.map(renderSection)}
</main>
<footer><p>Made by ${report.kit.name} ${report.kit.version}. The same run: <code>report.json</code>, <code>junit.xml</code>, <code>summary.md</code>, <code>exchanges.har</code>.</p></footer>
</body>
</html>
`
  return page.markup
}

function renderLink({ id, title, count }: Section): Html {
  return html`<a href="#part-${id}">${title}${count !== null && html` <small>${count}</small>`}</a> `
}

function renderSection({ id, title, count, content }: Section): Html {
  return html`<section id="part-${id}" aria-labelledby="title-${id}"><h2 id="title-${id}">${title}${count !== null && html` <small>${count}</small>`}</h2>
${content}</section>
`
}
