import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pageHtml } from '../../reports/html/page.tsx'
import { elements, renderTestSuites, type TestCase } from '../../reports/junit-xml.ts'
import { formatDuration, groupByClause, plural, signsLegend, statuses, statusLabels } from '../../reports/phrases.ts'
import type { Cell, Page, Section } from '../../reports/tables.ts'
import { visibleJsonLines, visibleLine } from '../../reports/visible.ts'
import { writeWhole } from '../../reports/write.ts'
import { platformRequirements } from '../../spec/platform/requirements.ts'
import { pluginRequirements } from '../../spec/plugin/requirements.ts'
import { exitCode, lookOf } from '../exit-code.ts'
import { type Fleet, type FleetInstall, fleetSchemaName } from '../fleet-document.ts'
import { kit } from '../kit.ts'

const registered: Fleet['requirements'] = [...pluginRequirements, ...platformRequirements].map(
  ({ id, clause, level }) => ({ id, clause, level }),
)

interface Rounds extends Pick<Fleet, 'shard'>, Partial<Pick<Fleet, 'missingShards'>> {
  readonly startedAt: Date
  readonly durationMs: number
  /** Those that the statuses name. Default: the requirements of this kit. */
  readonly requirements?: Fleet['requirements']
}

/** The results of a fleet as one document. A missing part makes it incomplete. */
export function rollUp(
  installs: readonly FleetInstall[],
  { startedAt, durationMs, shard, missingShards = [], requirements = registered }: Rounds,
): Fleet {
  const codes = [...installs.map((install) => install.exitCode), ...missingShards.map(() => exitCode.incomplete)]
  return {
    schema: fleetSchemaName,
    kit,
    startedAt: startedAt.toISOString(),
    durationMs,
    exitCode: worstOf(codes),
    shard,
    missingShards,
    requirements: requirements.filter(({ id }) => installs.some(({ statuses: found }) => id in found)),
    installs: [...installs],
  }
}

const worstFirst: readonly number[] = [
  exitCode.harmed,
  exitCode.kitError,
  exitCode.unreachable,
  exitCode.usage,
  exitCode.nonConformant,
  exitCode.incomplete,
  exitCode.conformant,
]

/** The worst exit code of several runs; 0 if there are none. A code that `run` does not have is an error of the kit. */
export function worstOf(codes: readonly number[]): number {
  const known = codes.map((code) => (worstFirst.includes(code) ? code : exitCode.kitError))
  return worstFirst.find((code) => known.includes(code)) ?? exitCode.conformant
}

const fileNames = { json: 'fleet.json', junit: 'junit.xml', html: 'fleet.html' }

/** Removes the files of an earlier fleet, whose results must not pass for those of one that ends without a roll-up. */
export async function removeFleet(out: string): Promise<void> {
  for (const name of Object.values(fileNames)) await rm(join(out, name), { force: true })
}

/** Writes the files of a roll-up into a folder that exists; returns the path of the page. */
export async function writeFleet(fleet: Fleet, out: string): Promise<string> {
  await writeWhole(join(out, fileNames.json), `${visibleJsonLines(fleet, 'installs')}\n`)
  const suites = fleet.installs.map((install) => {
    const { name, durationMs } = install
    return { name, durationMs, cases: casesOf(install) }
  })
  const missing = missingLines(fleet).map((line) => ({
    name: 'fleet',
    cases: [errorOfRun('fleet', 'incomplete', line)],
  }))
  await writeWhole(join(out, fileNames.junit), renderTestSuites(fleet.kit.name, [...suites, ...missing]))
  return writeWhole(join(out, fileNames.html), pageHtml(fleetPage(fleet)))
}

/** One case per requirement, and an error for an exit code that none of them explains. */
function casesOf(install: FleetInstall): readonly TestCase[] {
  const { name, verdict, statuses, explanation, exitCode: code, failures } = install
  const cases = Object.keys(statuses).map((requirement) => caseOf(install, requirement))
  const isExplained: Readonly<Record<number, boolean>> = {
    [exitCode.conformant]: verdict !== null,
    [exitCode.nonConformant]: failures.some(({ level, known }) => level === 'required' && !known),
    [exitCode.incomplete]: cases.some(({ outcome }) => outcome?.element === 'error'),
  }
  return isExplained[code] ? cases : [...cases, errorOfRun(name, `exit code ${code}`, explanation)]
}

function errorOfRun(classname: string, type: string, message: string): TestCase {
  return { name: 'run', classname, durationMs: 0, outcome: { element: 'error', type, message } }
}

function caseOf({ name: classname, statuses, failures }: FleetInstall, requirement: string): TestCase {
  const status = statuses[requirement] ?? 'out-of-scope'
  const testcase = { name: requirement, classname, durationMs: 0 }
  const element = elements[status]
  if (element === null) return testcase
  const own = failures.filter((one) => one.requirement === requirement)
  const text = own.map(({ check, code, message }) => `${check} ${code ?? ''}: ${message}`).join('\n')
  const message = own[0]?.message ?? statusLabels[status]
  return { ...testcase, outcome: { element, type: own[0]?.level ?? status, message, text } }
}

/** The page of a fleet: installs × clauses, then the requirements that failed in any install. */
function fleetPage(fleet: Fleet): Page {
  const { kit, installs, shard, startedAt, durationMs, exitCode } = fleet
  const part = shard === null ? '' : `, part ${shard.index} of ${shard.count}`
  return {
    look: lookOf(exitCode),
    kit,
    heading: `${plural(installs.length, 'install')}${part}: ${verdictCounts(fleet) || 'none'}`,
    lines: [`Exit code ${exitCode}. Started ${startedAt}, took ${formatDuration(durationMs)}.`, ...missingLines(fleet)],
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

function clauseSection({ installs, requirements }: Fleet): Section {
  const clauses = groupByClause(requirements)
  const worst = ({ statuses: found }: FleetInstall, items: Fleet['requirements']) =>
    statuses.find((status) => items.some(({ id }) => found[id] === status)) ?? null
  const rows = installs.map((install) => [
    link(install),
    ...clauses.map(({ items }) => ({ sign: worst(install, [...items]) })),
  ])
  return {
    id: 'clauses',
    title: 'Installs by clause',
    note: `${signsLegend}. A cell shows the worst status of its clause.`,
    tables: [{ heads: ['Install', ...clauses.map(({ clause }) => clause)], rows, columns: 'signs' }],
  }
}

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

export function verdictOf({ verdict }: Pick<FleetInstall, 'verdict'>): string {
  return verdict ?? 'not judged'
}

/** One line for a judged install. `progress` is for example `3/20`. */
export function installLine(install: FleetInstall, progress: string): string {
  const { name, explanation, durationMs, exitCode } = install
  const text = `${name}: ${verdictOf(install)}, exit code ${exitCode}, ${formatDuration(durationMs)}. ${explanation}`
  return `[${progress}] ${visibleLine(text)}`
}

/** The number of installs by verdict: `14 conformant, 1 not judged`. */
export function verdictCounts({ installs }: Pick<Fleet, 'installs'>): string {
  const counts = new Map<string, number>()
  for (const install of installs) counts.set(verdictOf(install), (counts.get(verdictOf(install)) ?? 0) + 1)
  return Array.from(counts, ([verdict, count]) => `${count} ${verdict}`).join(', ')
}

/** A line with the parts of a fleet that a merge lacks; none if it lacks none. */
export function missingLines({ missingShards }: Pick<Fleet, 'missingShards'>): readonly string[] {
  if (missingShards.length === 0) return []
  const names = missingShards.map(({ index, count }) => `${index}/${count}`)
  return [
    `${plural(names.length, 'part')} of the fleet ${names.length === 1 ? 'is' : 'are'} missing: ${names.join(', ')}.`,
  ]
}

export function fleetText(fleet: Fleet): string {
  const { installs, exitCode } = fleet
  return [
    ...missingLines(fleet),
    `${plural(installs.length, 'install')}: ${verdictCounts(fleet) || 'none'}. Exit code ${exitCode}.`,
    '',
  ].join('\n')
}
