import type { Report } from '../../reports/report.ts'
import { UsageError } from '../command-error.ts'
import type { RunFlags } from '../options/run-options.ts'

/** Resolves `--failed` to the ids of the failed checks and the seed of their run. @throws {UsageError} */
export async function selectFailed(flags: RunFlags): Promise<RunFlags> {
  if (flags.failed === undefined) return flags
  const { readReport } = await import('../report/read-report.ts')
  const report = readReport(flags.failed)
  const only = [...failedIn(report)]
  if (only.length > 0) return { ...flags, only, seed: flags.seed ?? report.seed }
  throw new UsageError(`No check failed in ${flags.failed}.`, 'Run without `--failed` to judge everything.')
}

/** The ids of the failed checks. Checks that the report did not judge keep their state from `before`. */
export function failedIn({ requirements, observations }: Report, before: ReadonlySet<string> = new Set()) {
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
