import { groupByClause } from '../../reports/clause.ts'
import type { Section } from '../../reports/html/section.ts'
import { renderGrid, renderList } from '../../reports/html/table.ts'
import { renderTablePage } from '../../reports/html/table-page.ts'
import { type Html, html } from '../../reports/html/template.ts'
import { formatDuration, plural, signsLegend, statuses } from '../../reports/phrases.ts'
import { lookOf } from '../exit-code.ts'
import type { Fleet, FleetInstall } from '../fleet-document.ts'
import { missingText, verdictCounts, verdictOf } from './render-text.ts'

/** The roll-up of a fleet: installs × clauses, then the requirements that failed somewhere. */
export function renderFleetPage(fleet: Fleet): string {
  const { kit, installs, shard, startedAt, durationMs } = fleet
  const missing = missingText(fleet)
  const broken = brokenRequirements(fleet)
  const sections: readonly Section[] = [
    { id: 'installs', title: 'Installs', count: installs.length, content: renderInstalls(fleet) },
    { id: 'clauses', title: 'Installs by clause', count: null, content: renderClauses(fleet) },
    { id: 'requirements', title: 'Failed requirements', count: broken.length, content: renderBroken(broken) },
  ]
  return renderTablePage({
    title: `Fleet: ${verdictCounts(fleet)}`,
    look: lookOf(fleet.exitCode),
    kit,
    heading: `${plural(installs.length, 'install')}${shard === null ? '' : `, part ${shard.index} of ${shard.count}`}`,
    lines: [
      `${verdictCounts(fleet) || 'none'}. Exit code ${fleet.exitCode}. Started ${startedAt}, took ${formatDuration(durationMs)}.`,
      ...(missing === null ? [] : [missing]),
    ],
    sections,
    otherForms: html` Other formats of this page: <code>fleet.json</code>, <code>junit.xml</code>.`,
  })
}

/** A link to the report of an install, or to the output of its run if it has none. */
function link({ name, folder, verdict }: FleetInstall): Html {
  const file = verdict === null ? 'run.log' : 'report.html'
  return html`<a href="${[...folder.split('/'), file].map(encodeURIComponent).join('/')}">${name}</a>`
}

function renderInstalls({ installs }: Fleet): Html {
  return renderList(
    'Installs',
    ['Install', 'Target', 'Risk', 'Verdict', 'Exit code', 'Explanation'],
    installs.map((install) => [
      link(install),
      html`<code>${install.target}</code>`,
      install.risk,
      verdictOf(install),
      install.exitCode,
      install.explanation,
    ]),
  )
}

/** The worst status of each clause for each install. */
function renderClauses({ installs, requirements }: Fleet): Html {
  const clauses = groupByClause(requirements)
  const worst = ({ statuses: found }: FleetInstall, items: readonly Fleet['requirements'][number][]) =>
    statuses.find((status) => items.some(({ id }) => found[id] === status)) ?? null
  const grid = renderGrid(
    'Installs by clause',
    ['Install', ...clauses.map(({ clause }) => clause)],
    installs.map((install) => [link(install), ...clauses.map(({ items }) => worst(install, items))]),
  )
  return html`<p class="note">${signsLegend}. A cell shows the worst status of its clause.</p>
${grid}`
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
  return renderList(
    'Failed requirements',
    ['Requirement', 'Clause', 'Level', 'Installs', 'Where it failed'],
    broken.map(({ requirement: { id, clause, level }, installs }) => [
      html`<code>${id}</code>`,
      clause,
      level,
      installs.length,
      html`${installs.map((install, place) => html`${place > 0 && ', '}${link(install)}`)}`,
    ]),
  )
}
