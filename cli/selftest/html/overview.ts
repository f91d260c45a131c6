import { type Html, html } from '../../../reports/html/template.ts'
import { formatDuration } from '../../../reports/phrases.ts'
import type { Selftest } from '../document.ts'
import { conclusion, countKills, extentOf, kills, laws } from '../verdicts.ts'
import { killBadge, lawBadge } from './badge.ts'

/** The result of the self-test in one sentence. */
export function renderBanner(document: Selftest): Html {
  const { kit, passed } = document
  return html`<header class="banner ${passed ? 'conformant' : 'non-conformant'}">
<p class="kit">${kit.name} ${kit.version}, requirements ${kit.requirementsVersion}</p>
<h1><span aria-hidden="true">${passed ? '✓' : '✕'}</span> ${conclusion(document)}</h1>
<p>The kit judged its own simulators: without a defect, and with one known defect each.</p>
</header>`
}

/** The four laws, and whether they hold. */
export function renderLaws(document: Selftest): Html {
  const rows = laws.map(({ law, name, sentence }) => {
    const against = document.findings.filter((finding) => finding.law === law).length
    return html`<tr><th scope="row">${lawBadge(against)}</th><td><b>${law}. ${name}</b><br>${sentence} <small>${extentOf(document, law)}</small></td></tr>`
  })
  return html`<section aria-labelledby="laws"><h2 id="laws">The four laws</h2><table class="laws"><tbody>${rows}</tbody></table></section>`
}

/** The defects by verdict, and the options that reproduce the run. */
export function renderFacts(document: Selftest): Html {
  const { seed, startedAt, durationMs, scope } = document
  const counts = kills.map((kill) => {
    const count = countKills(document, kill)
    return html`<tr><th scope="row">${killBadge(kill, count > 0)}</th><td${count === 0 && html` class="zero"`}>${count}</td></tr>`
  })
  const facts: readonly (readonly [string, string | Html])[] = [
    ['Seed', html`<code>${seed}</code>`],
    ['Only', scope.only.length === 0 ? 'everything' : scope.only.join(', ')],
    ['Judged by', scope.quick ? 'the requirements that a defect names' : 'every requirement'],
    [
      'Started',
      html`<time datetime="${startedAt}">${startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}</time>`,
    ],
    ['Duration', formatDuration(durationMs)],
  ]
  return html`<section aria-labelledby="counts"><h2 id="counts">Defects</h2><table><tbody>${counts}</tbody></table>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`
}
