import { dirname, join } from 'node:path'
import { type FleetInstall, readFleet } from '../fleet/document.ts'
import { readReport } from '../report/read-report.ts'
import type { Change } from './change.ts'
import { type Comparison, compareVersions, countsOf, exitCodeOf, type Version } from './comparison.ts'

/** What became of the installs of a fleet. */
export interface FleetComparison {
  /** Installs that were not judged both times, one sentence each. */
  readonly notCompared: readonly string[]
  readonly compared: number
  /** The numbers of all installs that were compared. */
  readonly counts: string
  readonly exitCode: number
}

/**
 * Compares two fleets install by install, and hands over each comparison that shows a change. One
 * pair of reports is in memory at a time.
 *
 * @throws {UsageError} when a `fleet.json` or a report of it cannot be read
 */
export function compareFleets(
  oldPath: string,
  freshPath: string,
  show: (comparison: Comparison) => void,
): FleetComparison {
  const installsOf = (path: string) => new Map(readFleet(path).installs.map((install) => [install.name, install]))
  const [before, after] = [installsOf(oldPath), installsOf(freshPath)]
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const isJudged = (name: string) => Boolean(before.get(name)?.verdict && after.get(name)?.verdict)
  const changes: Change[] = names.filter(isJudged).flatMap((name) => {
    const comparison = compareVersions(versionOf(before.get(name), oldPath), versionOf(after.get(name), freshPath))
    if (comparison.changes.length > 0) show(comparison)
    return comparison.changes
  })
  const others = names.filter((name) => !isJudged(name))
  // An install that is gone may hide a regression, as a check that is blocked may.
  const lost = others.filter((name) => before.get(name)?.verdict).map(() => ({ kind: 'unjudged' as const }))
  return {
    notCompared: others.map((name) => `${name}: ${stateOf(before.get(name))} before, ${stateOf(after.get(name))} now`),
    compared: names.length - others.length,
    counts: countsOf(changes),
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
