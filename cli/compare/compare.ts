import { dirname, join } from 'node:path'
import { pageHtml } from '../../reports/html/page.tsx'
import { paintFor, plain } from '../../reports/paint.ts'
import { groupByClause, plural, signsLegend } from '../../reports/phrases.ts'
import type { Report, ReportedRequirement } from '../../reports/report.ts'
import type { Page, Section, Table } from '../../reports/tables.ts'
import { pageMarkdown } from '../../reports/tables-markdown.ts'
import { pageText } from '../../reports/tables-text.ts'
import { visibleLine } from '../../reports/visible.ts'
import { UsageError } from '../command-error.ts'
import { exitCode, lookOf } from '../exit-code.ts'
import { readTextFile, writeTextFile } from '../files.ts'
import { type FleetInstall, fleetSchemaName, readFleet } from '../fleet-document.ts'
import { kit } from '../kit.ts'
import { readReport } from '../report/read-report.ts'
import { type Change, changesBetween, countsOf, differencesOfRuns, groupedByKind } from './changes.ts'
import type { CompareFlags } from './command.ts'

/** Compares each report with the first, or two fleets. Returns the exit code. @throws {UsageError} for other files */
export function compareFiles(paths: readonly [string, ...string[]], { format, out }: CompareFlags): number {
  const { page, exitCode } = compared(paths)
  const paint = out === undefined ? paintFor(process.stdout) : plain
  const text = { text: () => pageText(page, paint), md: () => pageMarkdown(page), html: () => pageHtml(page) }[format]()
  if (out === undefined) process.stdout.write(text)
  else writeTextFile(out, text, paths)
  return exitCode
}

function compared([old, ...further]: readonly [string, ...string[]]) {
  const [fresh, ...others] = further
  const fleets = [old, ...further].filter(isFleet)
  if (fleets.length > 0) {
    if (fresh !== undefined && others.length === 0 && fleets.length === 2) return compareFleets(old, fresh)
    throw new UsageError('Two `fleet.json`, or reports alone, can be compared.', 'Give the files of two fleets.')
  }
  const versionOf = (name: string) => ({ name, report: readReport(name) })
  if (fresh !== undefined && others.length === 0) return compareTwo(versionOf(old), versionOf(fresh))
  return compareMany([versionOf(old), ...further.map(versionOf)])
}

function isFleet(path: string): boolean {
  const text = readTextFile(path, { name: path, hint: 'Give the `report.json` of a run, or a `fleet.json`.' })
  try {
    return (JSON.parse(text) as { readonly schema?: unknown } | null)?.schema === fleetSchemaName
  } catch {
    // `readReport` reports what is wrong with the file.
    return false
  }
}

export interface Version {
  /** The path of the report as given, or the name of an install. */
  readonly name: string
  readonly report: Report
}

export function compareTwo(old: Version, fresh: Version) {
  const changes = changesBetween(old.report, fresh.report)
  const sections = groupedByKind(changes).map(({ id, heading: title, colour, found }) => {
    return { id, title, count: found.length, colour, tables: [tableOf(found)] }
  })
  return resultOf(`${fresh.name}: ${countsOf(changes)}`, factsOf(old, fresh), sections, changes)
}

/** Compares further reports with the first: the requirements that fail somewhere, or differ. */
export function compareMany(versions: readonly [Version, ...Version[]]) {
  const [first, ...further] = versions
  const found = further.map((fresh) => changesBetween(first.report, fresh.report))
  const columns = [
    versionText(first),
    ...further.map((fresh, place) => `${versionText(fresh)}: ${countsOf(found[place] ?? [])}`),
  ]
  const rows = matrixOf(versions.map(({ report }) => report)).map(({ requirement, statuses }) => {
    const { id, clause, level } = requirement
    return [[{ code: id }, `clause ${clause}, ${level}`], ...statuses.map((sign) => ({ sign }))]
  })
  const requirements = {
    id: 'requirements',
    title: 'Requirements that failed or differ',
    count: rows.length,
    note: `${signsLegend}. Requirements with the same status in all reports are left out, if they did not fail.`,
    tables: [
      { heads: ['Requirement', ...columns.map((_, place) => String(place + 1))], rows, columns: 'signs' as const },
    ],
  }
  const lines = columns.map((text, place) => `[${place + 1}] ${text}`)
  const sections = rows.length === 0 ? [] : [requirements]
  return resultOf(`Comparison of ${columns.length} reports`, lines, sections, found.flat())
}

/** Compares two fleets install by install, with one pair of reports in memory at a time. @throws {UsageError} */
export function compareFleets(oldPath: string, freshPath: string) {
  const installsOf = (path: string) => new Map(readFleet(path).installs.map((install) => [install.name, install]))
  const [before, after] = [installsOf(oldPath), installsOf(freshPath)]
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const isJudged = (name: string) => Boolean(before.get(name)?.verdict && after.get(name)?.verdict)
  const judged = names.filter(isJudged)
  const compared = judged.map((name, place) => {
    const [old, fresh] = [versionOf(before.get(name), oldPath), versionOf(after.get(name), freshPath)]
    return sectionOf(`install-${place + 1}`, old, fresh)
  })
  const changes = compared.flatMap((one) => one.changes)
  const others = names.filter((name) => !isJudged(name))
  // A missing install may hide a regression, like a blocked check.
  const lost = others.filter((name) => before.get(name)?.verdict).map(() => ({ kind: 'unjudged' as const }))
  const notCompared = {
    id: 'not-compared',
    title: 'Not judged both times',
    count: others.length,
    lines: others.map((name) => `${name}: ${stateOf(before.get(name))} before, ${stateOf(after.get(name))} now`),
  }
  const sections = compared.filter((one) => one.changes.length > 0).map(({ section }) => section)
  const heading = `${plural(judged.length, 'install')} compared: ${countsOf(changes)}`
  return resultOf(heading, [], others.length > 0 ? [...sections, notCompared] : sections, [...changes, ...lost])
}

function sectionOf(id: string, old: Version, fresh: Version): { section: Section; changes: readonly Change[] } {
  const changes = changesBetween(old.report, fresh.report)
  const tables = groupedByKind(changes).map(({ heading, colour, found }) => {
    return { ...tableOf(found), title: heading, colour }
  })
  const section = { id, title: fresh.name, count: countsOf(changes), lines: factsOf(old, fresh), tables }
  return { section, changes }
}

function resultOf(
  heading: string,
  lines: readonly string[],
  sections: readonly Section[],
  changes: readonly Pick<Change, 'kind'>[],
) {
  const code = exitCodeOf(changes)
  const page: Page = { look: lookOf(code), kit, heading, lines, sections }
  return { page, exitCode: code }
}

function tableOf(changes: readonly Change[]): Table {
  const rows = changes.map(({ subject, about, before, after }) => [{ code: subject }, about, before, after])
  return { heads: ['Subject', 'About', 'Before', 'Now'], rows }
}

function factsOf(old: Version, fresh: Version): readonly string[] {
  const differences = differencesOfRuns(old.report, fresh.report).map(visibleLine)
  return [`Before: ${versionText(old)}`, `Now:    ${versionText(fresh)}`, ...differences]
}

function versionText({ name, report: { target, verdict, startedAt } }: Version): string {
  const plugin = target.plugin === null ? '' : `, ${target.plugin.name} ${target.plugin.version}`
  return visibleLine(`${name}: ${verdict}${plugin}, ${startedAt}`)
}

/** 1 for a regression, otherwise 3 if a check can no longer be judged, since that may hide a regression. */
export function exitCodeOf(changes: readonly Pick<Change, 'kind'>[]): number {
  const has = (kind: Change['kind']) => changes.some((change) => change.kind === kind)
  if (has('regression')) return exitCode.nonConformant
  return has('unjudged') ? exitCode.incomplete : exitCode.conformant
}

function versionOf(install: FleetInstall | undefined, path: string): Version {
  const { name, folder } = install as FleetInstall
  return { name, report: readReport(join(dirname(path), folder, 'report.json')) }
}

function stateOf(install: FleetInstall | undefined): string {
  return install === undefined ? 'not in the fleet' : (install.verdict ?? 'not judged')
}

/** The judged requirements, by clause, that fail in a report or whose status differs between reports. */
export function matrixOf(reports: readonly Pick<Report, 'requirements'>[]) {
  const columns = reports.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one])))
  const all = new Map<string, ReportedRequirement>(columns.toReversed().flatMap((column) => [...column]))
  const rows = groupByClause([...all.values()]).flatMap(({ items }) =>
    items.map((requirement) => {
      const statuses = columns.map((column) => column.get(requirement.id)?.status ?? null)
      return { requirement, statuses }
    }),
  )
  return rows.filter(({ statuses }) => {
    const isJudged = statuses.some((status) => status !== null && !/^(out-of-scope|not-applicable)$/.test(status))
    return isJudged && (statuses.includes('failed') || new Set(statuses).size > 1)
  })
}
