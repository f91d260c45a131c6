import { formatDuration, plural } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { Fleet, FleetInstall } from '../fleet-document.ts'

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

/** The final lines of a fleet for the terminal. */
export function fleetText(fleet: Fleet): string {
  const { installs, exitCode } = fleet
  return [
    ...missingLines(fleet),
    `${plural(installs.length, 'install')}: ${verdictCounts(fleet) || 'none'}. Exit code ${exitCode}.`,
    '',
  ].join('\n')
}
