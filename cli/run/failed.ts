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
  const { requirements, observations, seed } = readReport(flags.failed)
  const only = [
    ...requirements.flatMap(({ checks }) => checks),
    ...observations.map(({ check, status }) => ({ id: check, status })),
  ].flatMap(({ id, status }) => (status === 'failed' ? id : []))
  if (only.length > 0) return { ...flags, only, seed: flags.seed ?? seed }
  throw new UsageError(`No check failed in ${flags.failed}.`, 'Run without `--failed` to judge everything.')
}
