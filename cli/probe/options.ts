import { forPluginAlone, type RunFlags, type RunOptions } from '../options/run-options.ts'

/** What the command line of `probe` holds. */
export interface ProbeFlags extends Omit<RunFlags, 'profile' | 'baseline' | 'strict' | 'complete'> {
  /** Path of the profile. */
  readonly out: string
  readonly reportDir: string
}

/**
 * The options of the run that a probe is, without a verdict.
 *
 * @throws {UsageError} as for `run`
 */
export function runOptionsOf(flags: ProbeFlags): RunOptions {
  return forPluginAlone({ ...flags, strict: false, complete: false, out: flags.reportDir })
}
