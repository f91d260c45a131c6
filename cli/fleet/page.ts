import { groupByClause } from '../../reports/clause.ts'
import { readStyle } from '../../reports/html/assets.ts'
import { renderNavigation, renderSection, type Section } from '../../reports/html/section.ts'
import { renderShell } from '../../reports/html/shell.ts'

import { type Html, html } from '../../reports/html/template.ts'
import { formatDuration, plural, signsLegend, statuses, statusLabels, statusSigns } from '../../reports/phrases.ts'
import { exitCode } from '../exit-code.ts'
import type { Fleet, FleetInstall } from './document.ts'
import { missingText, verdictCounts, verdictOf } from './render-text.ts'

const ownStyle = `
.scroll { overflow: auto; } .scroll th, .scroll td { white-space: nowrap; }
.grid td { text-align: center; padding: .25rem .4rem; font-weight: 400; } .grid td:last-child { font-weight: 400; }
.grid tbody th { position: sticky; left: 0; background: var(--page); text-align: left; padding-right: 1rem; }
.grid td.failed, .grid td.error { background: var(--red-well); color: var(--red); }
.grid td.passed { color: var(--green); } .grid td:is(.blocked, .partly-judged) { color: var(--amber); }
.list td, .list th { text-align: left; vertical-align: top; font-weight: 400; }
.list td:last-child { font-weight: 400; white-space: normal; min-width: 20rem; } .list code { overflow-wrap: normal; }
`

/** The roll-up of a fleet: installs × clauses, then the requirements that failed somewhere. */
export function renderFleetPage(fleet: Fleet): string {
  const { kit, installs } = fleet
  const broken = brokenRequirements(fleet)
  const sections: readonly Section[] = [
    { id: 'installs', title: 'Installs', count: installs.length, content: renderInstalls(fleet) },
    { id: 'clauses', title: 'Installs by clause', count: null, content: renderGrid(fleet) },
    { id: 'requirements', title: 'Failed requirements', count: broken.length, content: renderBroken(broken) },
  ]
  return renderShell({
    title: `Fleet: ${verdictCounts(fleet)}`,
    style: readStyle() + ownStyle,
    banner: renderBanner(fleet),
    navigation: renderNavigation('Sections of this page', sections),
    results: html`${sections.map(renderSection)}`,
    kit,
    otherForms: html` Other formats of this page: <code>fleet.json</code>, <code>junit.xml</code>.`,
  })
}

function renderBanner(fleet: Fleet): Html {
  const { exitCode: code, kit, shard, startedAt, durationMs } = fleet
  const look =
    code === exitCode.conformant ? 'conformant' : code === exitCode.incomplete ? 'incomplete' : 'non-conformant'
  const missing = missingText(fleet)
  return html`<header class="banner ${look}">
<p class="kit">${kit.name} ${kit.version}, requirements ${kit.requirementsVersion}</p>
<h1>${plural(fleet.installs.length, 'install')}${shard !== null && `, part ${shard.index} of ${shard.count}`}</h1>
<p>${verdictCounts(fleet) || 'none'}. Exit code ${code}. Started ${startedAt}, took ${formatDuration(durationMs)}.</p>${
    missing !== null && html`<p>${missing}</p>`
  }
</header>`
}

/** A link to the report of an install, or to the output of its run if it has none. */
function link({ name, folder, verdict }: FleetInstall): Html {
  const file = verdict === null ? 'run.log' : 'report.html'
  return html`<a href="${[...folder.split('/'), file].map(encodeURIComponent).join('/')}">${name}</a>`
}

function renderInstalls({ installs }: Fleet): Html {
  const rows = installs.map(
    (install) =>
      html`<tr><th scope="row">${link(install)}</th><td><code>${install.target}</code></td><td>${install.risk}</td><td>${verdictOf(install)}</td><td>${install.exitCode}</td><td>${install.explanation}</td></tr>
`,
  )
  const heads = ['Install', 'Target', 'Risk', 'Verdict', 'Exit code', 'Explanation']
  return html`<div class="scroll"><table class="list"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** The worst status of each clause for each install. */
function renderGrid({ installs, requirements }: Fleet): Html {
  const clauses = groupByClause(requirements)
  const cell = (install: FleetInstall, ids: readonly string[]) => {
    const found = new Set(ids.map((id) => install.statuses[id]))
    const worst = statuses.find((status) => found.has(status))
    return worst === undefined
      ? html`<td></td>`
      : html`<td class="${worst}" title="${statusLabels[worst]}">${statusSigns[worst]}</td>`
  }
  const rows = installs.map(
    (install) =>
      html`<tr><th scope="row">${link(install)}</th>${clauses.map(({ items }) =>
        cell(
          install,
          items.map(({ id }) => id),
        ),
      )}</tr>
`,
  )
  return html`<p class="note">${signsLegend}. A cell shows the worst status of its clause.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Installs by clause"><table class="grid"><thead><tr><th scope="col">Install</th>${clauses.map(({ clause }) => html`<th scope="col">${clause}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}

interface BrokenRequirement {
  readonly requirement: Fleet['requirements'][number]
  readonly installs: readonly FleetInstall[]
}

/** Those that fail most often come first. */
function brokenRequirements({ installs, requirements }: Fleet): readonly BrokenRequirement[] {
  return requirements
    .map((requirement) => ({
      requirement,
      installs: installs.filter(({ statuses: found }) => found[requirement.id] === 'failed'),
    }))
    .filter(({ installs: failing }) => failing.length > 0)
    .toSorted((one, other) => other.installs.length - one.installs.length)
}

function renderBroken(broken: readonly BrokenRequirement[]): Html {
  if (broken.length === 0) return html`<p>No requirement failed.</p>`
  const rows = broken.map(({ requirement: { id, clause, level }, installs }) => {
    const links = installs.map((install, place) => html`${place > 0 && ', '}${link(install)}`)
    return html`<tr><th scope="row"><code>${id}</code></th><td>${clause}</td><td>${level}</td><td>${installs.length}</td><td>${links}</td></tr>
`
  })
  const heads = ['Requirement', 'Clause', 'Level', 'Installs', 'Where it failed']
  return html`<div class="scroll"><table class="list"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}
