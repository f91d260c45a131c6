import { dirname, join } from 'node:path'
import { plural } from '../../reports/phrases.ts'
import { type FleetInstall, readFleet } from '../fleet-document.ts'
import { readReport } from '../report/read-report.ts'
import { type Comparison, compareVersions, countsOf, exitCodeOf, type Version } from './comparison.ts'

/** What became of the installs of a fleet. */
export interface FleetComparison {
  /** Of the installs that changed. */
  readonly comparisons: readonly Comparison[]
  /** Installs that were not judged both times, one sentence each. */
  readonly notCompared: readonly string[]
  /** The numbers of all installs: `3 installs compared: 1 regression.` */
  readonly total: string
  readonly exitCode: number
}

/**
 * Compares two fleets install by install. One pair of reports is in memory at a time.
 *
 * @throws {UsageError} when a `fleet.json` or a report of it cannot be read
 */
export function compareFleets(oldPath: string, freshPath: string): FleetComparison {
  const installsOf = (path: string) => new Map(readFleet(path).installs.map((install) => [install.name, install]))
  const [before, after] = [installsOf(oldPath), installsOf(freshPath)]
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const isJudged = (name: string) => Boolean(before.get(name)?.verdict && after.get(name)?.verdict)
  const judged = names.filter(isJudged)
  const comparisons = judged
    .map((name) => compareVersions(versionOf(before.get(name), oldPath), versionOf(after.get(name), freshPath)))
    .filter(({ changes }) => changes.length > 0)
  const changes = comparisons.flatMap((one) => one.changes)
  const others = names.filter((name) => !isJudged(name))
  // An install that is gone may hide a regression, as a check that is blocked may.
  const lost = others.filter((name) => before.get(name)?.verdict).map(() => ({ kind: 'unjudged' as const }))
  return {
    comparisons,
    notCompared: others.map((name) => `${name}: ${stateOf(before.get(name))} before, ${stateOf(after.get(name))} now`),
    total: `${plural(judged.length, 'install')} compared: ${countsOf(changes)}.`,
    exitCode: exitCodeOf([...changes, ...lost]),
  }
}

function versionOf(install: FleetInstall | undefined, path: string): Version {
  const { name, folder } = install as FleetInstall
  return { name, report: readReport(join(dirname(path), folder, 'report.json')) }
}

function stateOf(install: FleetInstall | undefined): string {
  return install === undefined ? 'not in the fleet' : (install.verdict ?? 'not judged')
}
