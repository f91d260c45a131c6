import type { Outcome } from '../suites/runner/outcome.ts'
import type { ResponseTime } from './report.ts'

/** The median response time of each operation, over all requests of a run and not only those in the report. */
export function responseTimesOf(outcomes: readonly Pick<Outcome, 'durationsMs'>[]): readonly ResponseTime[] {
  const all = new Map<string, number[]>()
  for (const [operation, durationsMs] of outcomes.flatMap((outcome) => Object.entries(outcome.durationsMs ?? {}))) {
    const found = all.get(operation) ?? []
    found.push(...durationsMs)
    all.set(operation, found)
  }
  return Array.from(all, ([operation, durationsMs]) => ({
    operation,
    responses: durationsMs.length,
    medianMs: Math.round(median(durationsMs) * 10) / 10,
  })).toSorted((one, other) => (one.operation < other.operation ? -1 : 1))
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
