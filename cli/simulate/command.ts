import { Command, Option } from 'commander'
import { wholeNumber } from '../option-parsers.ts'
import { collectParameter, type SimulateFlags } from './options.ts'

/** `copytrade-tck simulate`: serves the plugin API until it is told to stop. */
export function simulateCommand(): Command {
  return new Command('simulate')
    .description('serve the plugin API of the simulator until Ctrl-C or SIGTERM, and the platform API where asked')
    .addOption(
      new Option('--port <n>', 'port to listen on (default: API_Port, or 8443)')
        .argParser(wholeNumber(0, 65_535))
        .env('TCK_PORT'),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(new Option('--api-key <key>', 'parameter API_Key; empty disables the API').env('TCK_API_KEY'))
    .addOption(new Option('--data-dir <dir>', 'folder of the rules file (default: kept in memory)').env('TCK_DATA_DIR'))
    .option('--param <name=value>', 'a plugin parameter, e.g. Copy_1 (repeatable)', collectParameter, {})
    .addOption(new Option('--params <file>', 'JSON object with plugin parameters').env('TCK_PARAMETERS'))
    .option('--capacity <n>', 'the most rules that can be added (default: 1000)', wholeNumber(0))
    .option('--defect <id>', 'be wrong in this way (see: copytrade-tck defects)')
    .option(
      '--platform-port <n>',
      'serve the platform API too, at this port; 0 finds a free one',
      wholeNumber(0, 65_535),
    )
    .addOption(
      new Option('--signing <what>', 'what becomes of signatures of the platform API (default: accepted)').choices([
        'off',
        'accepted',
        'required',
      ]),
    )
    .addHelpText(
      'after',
      '\nThe key pair of the platform API comes from TCK_PLATFORM_KEY and TCK_PLATFORM_SECRET. Without them one is made' +
        '\nand printed to stdout, once.',
    )
    .action(async (flags: SimulateFlags) => {
      const { simulate } = await import('./simulate.ts')
      await simulate(flags)
    })
}
