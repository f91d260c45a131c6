import type { Report } from '../../reports/report.ts'
import { UsageError } from '../command-error.ts'
import type { RunFlags } from '../options/run-options.ts'

/**
 * Turns `--failed` into the ids of the checks that failed and the seed with which they did.
 *
 * @throws {UsageError} when the report cannot be read, or nothing failed in it
 */
export async function selectFailed(flags: RunFlags): Promise<RunFlags> {
  if (flags.failed === undefined) return flags
  const { readReport } = await import('../report/read-report.ts')
  const report = readReport(flags.failed)
  const only = [...failedIn(report)]
  if (only.length > 0) return { ...flags, only, seed: flags.seed ?? report.seed }
  throw new UsageError(`No check failed in ${flags.failed}.`, 'Run without `--failed` to judge everything.')
}

/** The checks that failed in a report. Those that it did not judge count as before. */
export function failedIn(
  { requirements, observations }: Report,
  before: ReadonlySet<string> = new Set(),
): ReadonlySet<string> {
  const failed = new Set(before)
  const checks = [
    ...requirements.flatMap((requirement) => requirement.checks),
    ...observations.map(({ check, status }) => ({ id: check, status })),
  ]
  for (const { id, status } of checks) {
    if (status === 'failed') failed.add(id)
    if (status === 'passed') failed.delete(id)
  }
  return failed
}
