import { pluginCases } from '../../../suites/checks/plugin/all.ts'
import type { PlannedCheck } from '../../../suites/runner/plan.ts'

/** What planned checks do to a foreign server: restart it, or also take its rules out of the list. */
export type LifeCycleUse = 'restarted' | 'emptied' | null

export function lifeCycleOf(planned: readonly PlannedCheck[]): LifeCycleUse {
  const run = new Set(planned.filter(({ outOfScope }) => outOfScope === null).map(({ id }) => id))
  const needs = pluginCases.filter(({ id }) => run.has(id)).flatMap((check) => check.needs ?? [])
  if (needs.includes('launch')) return 'emptied'
  return needs.includes('restart') ? 'restarted' : null
}
