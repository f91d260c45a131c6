import { Command, Option } from 'commander'
import { collect, wholeNumber } from '../options/parsers.ts'
import { withRunOptions } from '../run/shared-options.ts'
import { interruption } from '../run/command.ts'
import type { ParityFlags } from './options.ts'

/** `copytrade-tck parity`: looks for a difference between a server and its twin. Sets the exit code. */
export function parityCommand(): Command {
  const command = new Command('parity')
    .description('send the same random sequences to a server and to its twin, and find the first difference')
    .option('--profile <file>', 'profile of the twin: the simulator answers as it says (default: its own answers)')
    .option('--against <url>', 'compare with this server, which runs already, in place of the simulator')
    .addOption(
      new Option('--against-api-key <key>', 'key of the server of --against (default: the same key)').env(
        'TCK_AGAINST_API_KEY',
      ),
    )
    .option(
      '--ignore <glob>',
      'leave out what is at this place of a body, e.g. /uptime or /rules/*/note (repeatable)',
      collect,
      [],
    )
    .option('--runs <n>', 'random sequences, after one for each step alone', wholeNumber(0), 50)
    .option('--max-requests <n>', 'the most requests of the comparison to each side', wholeNumber(1), 4000)
    .option('--report-dir <dir>', 'folder of the ledger, and of what a started server prints', 'tck-report')
  return withRunOptions(command, ['only', 'skip']).action(async (flags: ParityFlags) => {
    const { parity } = await import('./parity.ts')
    process.exitCode = await parity(flags, interruption())
  })
}
