import { Command, Option } from 'commander'
import { wholeNumber } from '../options/parsers.ts'
import { environmentHelp } from './environment.ts'
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
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1').env('TCK_HOST'))
    .addOption(new Option('--api-key <key>', 'parameter API_Key; empty disables the API').env('TCK_API_KEY'))
    .addOption(new Option('--data-dir <dir>', 'folder of the rules file (default: kept in memory)').env('TCK_DATA_DIR'))
    .option('--param <name=value>', 'a plugin parameter, e.g. Copy_1 (repeatable)', collectParameter, {})
    .addOption(new Option('--params <file>', 'JSON object with plugin parameters').env('TCK_PARAMETERS'))
    .addOption(
      new Option('--capacity <n>', 'the most rules that can be added (default: that of the profile, or 1000)')
        .argParser(wholeNumber(0))
        .env('TCK_CAPACITY'),
    )
    .addOption(
      new Option('--profile <file>', 'answer as this profile says, e.g. one that copytrade-tck probe wrote').env(
        'TCK_PROFILE',
      ),
    )
    .addOption(new Option('--defect <id>', 'be wrong in this way (see: copytrade-tck defects)').env('TCK_DEFECT'))
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
    .addOption(
      new Option('--control-port <n>', 'also serve the control plane and the live page here; 0 finds a free port')
        .argParser(wholeNumber(0, 65_535))
        .env('TCK_CONTROL_PORT'),
    )
    .addOption(
      new Option('--control-host <address>', 'address of the control plane')
        .default('127.0.0.1')
        .env('TCK_CONTROL_HOST'),
    )
    .addOption(
      new Option('--journal <n>', 'how many requests are kept (default: 10000 if something asks for them)').argParser(
        wholeNumber(1),
      ),
    )
    .option('--client-report <file>', 'write at the end what the requests say of the client (.html or .json)')
    .addHelpText(
      'after',
      '\nThe key pair of the platform API comes from TCK_PLATFORM_KEY and TCK_PLATFORM_SECRET. Without them one is made' +
        '\nand printed to stdout, once.' +
        '\nTCK_CONTROL_TOKEN is the token of the control plane; without it one is made and printed once.',
    )
    .addHelpText('after', environmentHelp)
    .action(async (flags: SimulateFlags) => {
      const { simulate } = await import('./simulate.ts')
      await simulate(flags)
    })
}
