import { plural } from '../../reports/phrases.ts'
import type { Sample } from './measure.ts'

/** The response times of one operation, in milliseconds. */
export interface Row {
  readonly operation: string
  readonly count: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
  /** How late the kit sent a request at most, which counts in the times. */
  readonly late: number
  /** What went wrong, and how often. */
  readonly failures: ReadonlyMap<string, number>
}

/** One row for each operation. */
export function rowsOf(samples: readonly Sample[]): readonly Row[] {
  const operations = [...new Set(samples.map(({ operation }) => operation))].toSorted()
  return operations.map((operation) => {
    const own = samples.filter((sample) => sample.operation === operation)
    const times = own.map(({ latencyMs }) => latencyMs).toSorted((one, other) => one - other)
    const at = (share: number) => times[Math.ceil(share * times.length) - 1] ?? 0
    const failures = new Map<string, number>()
    for (const { failure } of own) if (failure !== null) failures.set(failure, (failures.get(failure) ?? 0) + 1)
    const late = own.reduce((latest, { lateMs }) => Math.max(latest, lateMs), 0)
    return { operation, count: own.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1), late, failures }
  })
}

/** Whether an operation was within `--max-p99`; null where the kit itself was too late to say so. */
export function isFast({ p99, late }: Row, maxP99: number | null): boolean | null {
  if (maxP99 === null || p99 <= maxP99) return true
  return p99 - late > maxP99 ? false : null
}

/** The rows as a table, with what went wrong. */
export function loadText(rows: readonly Row[], maxP99: number | null): string {
  const ms = (time: number) => `${time.toFixed(1)} ms`.padStart(12)
  const lines = rows.flatMap((row) => [
    `${row.operation.padEnd(22)}${String(row.count).padStart(9)}${[row.p50, row.p90, row.p99, row.max].map(ms).join('')}`,
    ...(isFast(row, maxP99) === false ? [`  above --max-p99 ${maxP99}`] : []),
    ...(isFast(row, maxP99) === null
      ? [`  not judged: the kit sent a request ${Math.round(row.late)} ms late. Choose a lower rate.`]
      : []),
    ...Array.from(row.failures, ([failure, times]) => `  failed ${plural(times, 'time')}: ${failure}`),
  ])
  const heads = ['p50', 'p90', 'p99', 'max'].map((head) => head.padStart(12)).join('')
  return `${[`${'Operation'.padEnd(22)}${'requests'.padStart(9)}${heads}`, ...lines].join('\n')}\n`
}
