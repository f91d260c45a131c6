import { Command, Option } from 'commander'
import { interruption } from '../interruption.ts'
import { collect, wholeNumber } from '../options/parsers.ts'
import { withRunOptions } from '../options/shared-options.ts'
import type { ParityFlags } from './options.ts'

/** `copytrade-tck parity`: finds a difference between a server and its twin. Sets the exit code. */
export function parityCommand(): Command {
  const command = new Command('parity')
    .description('Send the same random sequences to a server and to its twin and show the first difference.')
    .option('--profile <file>', 'Profile of the twin, a simulator. Without it the simulator uses its default answers')
    .option('--against <url>', 'Compare with this running server instead of the simulator')
    .addOption(
      new Option('--against-api-key <key>', 'API key of the server at --against (default: the key of the target)').env(
        'TCK_AGAINST_API_KEY',
      ),
    )
    .option(
      '--ignore <glob>',
      'Ignore this path in response bodies, like /uptime or /rules/*/note (repeatable)',
      collect,
      [],
    )
    .option('--runs <n>', 'Number of random sequences, which follow one sequence for each step', wholeNumber(0), 50)
    .option(
      '--max-requests <n>',
      'Maximum number of requests to each server during the comparison',
      wholeNumber(1),
      4000,
    )
    .option('--continue', 'Go on after a difference, without the step that showed it, and show every one')
    .option('--out <dir>', 'Folder for the ledger and for the output of a started server', 'tck-report')
  return withRunOptions(command, ['only', 'skip', 'jobs']).action(async (flags: ParityFlags) => {
    const { parity } = await import('./parity.ts')
    process.exitCode = await parity(flags, interruption())
  })
}
