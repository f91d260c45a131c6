import { pluginCases } from '../../../suites/checks/plugin/all.ts'
import type { PlannedCheck } from '../../../suites/runner/plan.ts'
import type { Case } from '../../../suites/session/check.ts'

/** The planned checks that are run. */
function casesIn(planned: readonly PlannedCheck[]): readonly Case[] {
  const run = new Set(planned.filter(({ outOfScope }) => outOfScope === null).map(({ id }) => id))
  return pluginCases.filter(({ id }) => run.has(id))
}

/** Whether planned checks fill the list. */
export function fillsList(planned: readonly PlannedCheck[]): boolean {
  return casesIn(planned).some(({ fills }) => fills)
}

/** What planned checks do to a foreign server: restart it, or also take its rules out of the list. */
export type LifeCycleUse = 'restarted' | 'emptied' | null

export function lifeCycleOf(planned: readonly PlannedCheck[]): LifeCycleUse {
  const needs = casesIn(planned).flatMap((check) => check.needs ?? [])
  if (needs.includes('launch')) return 'emptied'
  return needs.includes('restart') ? 'restarted' : null
}
