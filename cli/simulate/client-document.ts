import type { ClientReport } from '../../simulator/index.ts'
import { nameAndVersion } from '../version.ts'

/** The content of a client report. Members may be added, but not changed or removed. */
export type ClientDocument = ReturnType<typeof clientDocument>

/** Merges the reports between resets, since a reset empties the journal. `startedAt` is ISO 8601, UTC. */
export function clientDocument(startedAt: string, reports: readonly ClientReport[]) {
  const sum = (count: (report: ClientReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  const covered = reports.flatMap(({ coverage }, place) => coverage.map((one) => ({ ...one, part: place + 1 })))
  return {
    schema: 'copytrade-tck/client-report@1' as const,
    kit: nameAndVersion,
    startedAt,
    endedAt: new Date().toISOString(),
    /** A reset begins a new part, in which request numbers restart at 1. */
    parts: reports.length,
    requests: sum(({ requests }) => requests),
    /** The number of earlier requests that the journal discarded. */
    forgotten: sum(({ forgotten }) => forgotten),
    /** `part` counts from 1, and `entry` is the number of the request in its part. */
    mistakes: reports.flatMap(({ mistakes }, place) => mistakes.map((one) => ({ ...one, part: place + 1 }))),
    /** The specified behaviours, how often this client exercised each, and the first request that did. */
    coverage: (reports[0]?.coverage ?? []).map(({ id, what, requirements }) => {
      const times = covered.filter((one) => one.id === id).reduce((total, one) => total + one.times, 0)
      const first = covered.find((one) => one.id === id && one.firstEntry !== null)
      const place = first === undefined ? null : { part: first.part, entry: first.firstEntry ?? 0 }
      return { id, what, requirements, times, first: place }
    }),
  }
}
