import { pluginCases } from '../../../suites/checks/plugin/all.ts'
import type { Outcome } from '../../../suites/runner/outcome.ts'
import type { PluginSettings } from '../../../suites/runner/plugin/settings.ts'
import { writesOf } from '../writes.ts'

const statedMost = new Map(pluginCases.map(({ id, mostWrites: stated }) => [id, stated]))

/** A target with other answers is asked a little differently, and a check whose connection broke again. */
const slack = 3

/** The most writes that a run may send, by the outcomes of a dry run. */
export function mostWrites(outcomes: readonly Outcome[], { risk, maxFill, thorough }: PluginSettings): number {
  const fill = risk === 'exclusive' ? 4 * maxFill : 0
  return outcomes
    .filter(({ check }) => statedMost.has(check))
    .reduce((sum, outcome) => sum + mostOf(outcome, thorough), fill)
}

/**
 * Each write may be followed by one that cleans up. A check that looks for the shortest way to a
 * failure sends more when there is one, and states the most of that itself.
 */
function mostOf(outcome: Outcome, thorough: number): number {
  const stated = statedMost.get(outcome.check)
  const wasRun = outcome.exchanges.length > 0
  return 2 * (wasRun && stated !== undefined ? stated(thorough) : slack * writesOf(outcome))
}
