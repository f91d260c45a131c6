import { UsageError } from '../command-error.ts'
import type { RunOptions } from '../options/run-options.ts'

/**
 * What a run cannot do on this system, one line each, printed before it begins.
 *
 * @throws {UsageError} if the run itself cannot work
 */
export function limitsOfSystem(
  { target, lifeCycle }: Pick<RunOptions, 'target' | 'lifeCycle'>,
  system: NodeJS.Platform = process.platform,
): readonly string[] {
  const isWindows = system === 'win32'
  if (isWindows && target.kind === 'exec') {
    throw new UsageError(
      '`--exec` does not work on Windows, which has no process groups: the kit could not end your server.',
      'Run the kit in WSL, give an image with `--container`, or start the server and give its address with `--target`.',
    )
  }
  const hasHooks = Object.keys(lifeCycle?.hooks ?? {}).length > 0
  return [
    ...(isWindows && hasHooks ? ['On Windows a hook that exceeds `--hook-timeout` is not ended.'] : []),
    ...(system !== 'linux' && target.kind === 'exec'
      ? [
          'Without /proc the kit does not notice another server on the port of yours, nor where a silent server listens.',
        ]
      : []),
  ]
}
