import { groupByClause } from '../../reports/clause.ts'
import { formatDuration, plural, signsLegend, statuses } from '../../reports/phrases.ts'
import type { Cell, Page, Section } from '../../reports/tables.ts'
import { lookOf } from '../exit-code.ts'
import type { Fleet, FleetInstall } from '../fleet-document.ts'
import { missingText, verdictCounts, verdictOf } from './render-text.ts'

/** The roll-up of a fleet: installs × clauses, then the requirements that failed somewhere. */
export function fleetPage(fleet: Fleet): Page {
  const { kit, installs, shard, startedAt, durationMs, exitCode } = fleet
  const missing = missingText(fleet)
  const part = shard === null ? '' : `, part ${shard.index} of ${shard.count}`
  return {
    look: lookOf(exitCode),
    kit,
    heading: `${plural(installs.length, 'install')}${part}: ${verdictCounts(fleet) || 'none'}`,
    lines: [
      `Exit code ${exitCode}. Started ${startedAt}, took ${formatDuration(durationMs)}.`,
      ...(missing === null ? [] : [missing]),
    ],
    sections: [installSection(fleet), clauseSection(fleet), failedSection(fleet)],
    otherFiles: ['fleet.json', 'junit.xml'],
  }
}

/** A link to the report of an install, or to the output of its run if it has none. */
function link({ name, folder, verdict }: FleetInstall): Cell {
  const file = verdict === null ? 'run.log' : 'report.html'
  return { link: [...folder.split('/'), file].map(encodeURIComponent).join('/'), text: name }
}

function installSection({ installs }: Fleet): Section {
  const rows = installs.map((install): readonly Cell[] => {
    const { target, risk, exitCode, explanation } = install
    return [link(install), { code: target }, risk, verdictOf(install), exitCode, explanation]
  })
  const heads = ['Install', 'Target', 'Risk', 'Verdict', 'Exit code', 'Explanation']
  return { id: 'installs', title: 'Installs', count: installs.length, tables: [{ heads, rows }] }
}

/** The worst status of each clause for each install. */
function clauseSection({ installs, requirements }: Fleet): Section {
  const clauses = groupByClause(requirements)
  const worst = ({ statuses: found }: FleetInstall, items: Fleet['requirements']) =>
    statuses.find((status) => items.some(({ id }) => found[id] === status)) ?? null
  const rows = installs.map((install) => ({
    name: link(install),
    about: '',
    statuses: clauses.map(({ items }) => worst(install, [...items])),
  }))
  return {
    id: 'clauses',
    title: 'Installs by clause',
    note: `${signsLegend}. A cell shows the worst status of its clause.`,
    grid: { heads: ['Install', ...clauses.map(({ clause }) => clause)], rows },
  }
}

/** Those that fail most often come first. */
function failedSection({ installs, requirements }: Fleet): Section {
  const failed = requirements
    .map(({ id, clause, level }) => {
      const failing = installs.filter(({ statuses: found }) => found[id] === 'failed')
      return {
        count: failing.length,
        cells: [{ code: id }, clause, level, failing.length, { list: failing.map(link) }],
      }
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
  const section = { id: 'requirements', title: 'Failed requirements', count: failed.length }
  if (failed.length === 0) return { ...section, note: 'No requirement failed.' }
  const heads = ['Requirement', 'Clause', 'Level', 'Installs', 'Where it failed']
  return { ...section, tables: [{ heads, rows: failed.map(({ cells }) => cells) }] }
}
