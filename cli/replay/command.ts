import { Command } from 'commander'
import { globs } from '../option-parsers.ts'
import type { ReplayFlags } from './replay.ts'

/** `copytrade-tck replay`: judges recorded exchanges. Sets the exit code of the process. */
export function replayCommand(): Command {
  return new Command('replay')
    .description('judge a recording of copytrade-tck run --record again, offline, with the checks of this kit')
    .argument('<recording>', 'file that run --record has written')
    .option('--only <glob>', 'only checks whose id, requirement or question matches (repeatable)', globs, [])
    .option('--skip <glob>', 'leave such checks out (repeatable)', globs, [])
    .option('--strict', 'failures of the levels expected and robustness count too', false)
    .option('--complete', 'anything out of scope makes the verdict incomplete', false)
    .option('--out <dir>', 'folder of the report', 'tck-report')
    .action(async (recording: string, flags: ReplayFlags) => {
      const { replay } = await import('./replay.ts')
      process.exitCode = await replay(recording, flags)
    })
}
