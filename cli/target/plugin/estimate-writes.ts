import { pluginCases } from '../../../suites/checks/plugin/all.ts'
import type { PlannedCheck } from '../../../suites/runner/plan.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/settings.ts'
import type { WriteEstimate } from '../api.ts'
import { roomOfSimulator, rulesOfSimulator } from './simulate.ts'
import counted from './usual-writes.json' with { type: 'json' }

/** How many writes each check sends to the simulator. `npm run usual-writes` writes the file. */
const usualWrites: Readonly<Record<string, number>> = counted

export function usualWritesOf(check: string): number {
  return usualWrites[check] ?? 0
}

const cases = new Map(pluginCases.map((check) => [check.id, check]))

/** A server with other answers gets slightly different requests, and a check whose connection broke is repeated. */
const slack = 6

/** A check that needs rules in an empty list adds and removes them, which it need not do in that of the simulator. */
const arranging = 2 * rulesOfSimulator

/** How many writes these checks send to a server that runs already. */
export function estimateWrites(
  plan: readonly PlannedCheck[],
  { risk, maxFill, thorough }: Pick<PluginSettings, 'risk' | 'maxFill' | 'thorough'>,
): WriteEstimate {
  if (risk === 'read') return { usual: 0, most: 0 }
  let usual = 0
  let most = risk === 'exclusive' ? writesOfFilledRule * maxFill : 0
  let fills = 0
  for (const { id, outOfScope } of plan) {
    if (outOfScope !== null) continue
    const ofCheck = usualWritesOf(id)
    const stated = cases.get(id)?.mostWrites?.(thorough)
    usual += ofCheck
    // The clean-up of a check that states its most is not part of what it states.
    most += stated === undefined ? slack * (ofCheck + arranging) : 2 * stated
    if (cases.get(id)?.fills) fills += 1
  }
  // The file has the rules of a fill for each check that needs one. In a run the checks share them, and each rule is
  // removed, where the dry run starts another simulator.
  if (fills > 0) usual -= (fills - 2) * roomOfSimulator
  return { usual: thorough === 1 ? usual : null, most }
}

/** It is added and removed, and a failure on a full list is confirmed by filling it twice more. */
export const writesOfFilledRule = 6
