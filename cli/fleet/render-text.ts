import { formatDuration, plural } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import type { Fleet, FleetInstall } from '../fleet-document.ts'

/** The verdict of an install, or that there is none. */
export function verdictOf({ verdict }: Pick<FleetInstall, 'verdict'>): string {
  return verdict ?? 'not judged'
}

/** One line for an install that has ended. `progress` is like `3/20`. */
export function installLine(install: FleetInstall, progress: string): string {
  const { name, explanation, durationMs, exitCode } = install
  const text = `${name}: ${verdictOf(install)}, exit code ${exitCode}, ${formatDuration(durationMs)}. ${explanation}`
  return `[${progress}] ${visibleLine(text)}`
}

/** The verdicts in numbers: `14 conformant, 1 not judged`. */
export function verdictCounts({ installs }: Pick<Fleet, 'installs'>): string {
  const counts = new Map<string, number>()
  for (const install of installs) counts.set(verdictOf(install), (counts.get(verdictOf(install)) ?? 0) + 1)
  return Array.from(counts, ([verdict, count]) => `${count} ${verdict}`).join(', ')
}

/** Parts of a fleet that are not in a merge, as text; null if there are none. */
export function missingText({ missingShards }: Pick<Fleet, 'missingShards'>): string | null {
  if (missingShards.length === 0) return null
  const names = missingShards.map(({ index, count }) => `${index}/${count}`)
  return `${plural(names.length, 'part')} of the fleet ${names.length === 1 ? 'is' : 'are'} missing: ${names.join(', ')}.`
}

/** The end of a fleet on the terminal. */
export function fleetText(fleet: Fleet): string {
  const { installs, exitCode } = fleet
  const missing = missingText(fleet)
  return [
    ...(missing === null ? [] : [missing]),
    `${plural(installs.length, 'install')}: ${verdictCounts(fleet) || 'none'}. Exit code ${exitCode}.`,
    '',
  ].join('\n')
}
