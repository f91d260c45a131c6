import { pluginCases } from '../../../suites/checks/plugin/all.ts'
import type { PlannedCheck } from '../../../suites/runner/plan.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/settings.ts'
import type { ExpectedWrites } from '../api.ts'
import usualWrites from './usual-writes.json' with { type: 'json' }

const statedMost = new Map(pluginCases.map(({ id, mostWrites: stated }) => [id, stated]))

/** A server with other answers is asked a little differently, and a check whose connection broke again. */
const slack = 3

/** The writes of these checks, by what each sends to the simulator. */
export function expectedWrites(
  plan: readonly PlannedCheck[],
  { risk, maxFill, thorough }: Pick<PluginSettings, 'risk' | 'maxFill' | 'thorough'>,
): ExpectedWrites {
  const expected = { usual: 0, most: risk === 'exclusive' ? 4 * maxFill : 0 }
  for (const { id, outOfScope } of plan) {
    if (outOfScope !== null) continue
    const usual = usualWritesOf(id)
    expected.usual += usual
    // Each write may be followed by one that cleans up. A check that looks for the shortest way to a failure sends
    // more when there is one, and states the most of that itself.
    expected.most += 2 * (statedMost.get(id)?.(thorough) ?? slack * usual)
  }
  return expected
}

function usualWritesOf(id: string): number {
  return (usualWrites as Readonly<Record<string, number>>)[id] ?? 0
}
