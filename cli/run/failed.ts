import type { Report } from '../../reports/report.ts'
import { visibleLine } from '../../reports/visible.ts'
import { UsageError } from '../command-error.ts'
import type { RunFlags } from '../options/run-options.ts'

/** Resolves `--failed` to the ids of the failed checks and the seed of their run. @throws {UsageError} */
export async function selectFailed(flags: RunFlags): Promise<RunFlags> {
  if (flags.failed === undefined) return flags
  const { readReport } = await import('../report/read-report.ts')
  const report = readReport(flags.failed)
  const { runCases } = await import('../target/session.ts')
  const { apis } = await import('../target/apis.ts')
  const known = new Set<string>(runCases(apis).map(({ id }) => id))
  const failed = [...failedIn(report)]
  const only = failed.filter((id) => known.has(id))
  // A report of another version of the kit may have other checks.
  const unknown = failed.filter((id) => !known.has(id)).map(visibleLine)
  if (only.length === 0) {
    const none = `This kit has none of the checks that failed in ${flags.failed}: ${unknown.join(', ')}.`
    const message = failed.length === 0 ? `No check failed in ${flags.failed}.` : none
    throw new UsageError(message, 'Run without `--failed` to judge everything.')
  }
  if (unknown.length > 0) process.stderr.write(`Skipped, since this kit has no such check: ${unknown.join(', ')}.\n`)
  return { ...flags, only, seed: flags.seed ?? report.seed }
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
