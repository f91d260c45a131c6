import { Command, Option } from 'commander'
import { UsageError } from '../command-error.ts'
import { wholeNumber } from '../options/parsers.ts'
import type { SimulateFlags } from './options.ts'

/** `copytrade-tck simulate`: serves the plugin API until it is stopped. */
export function simulateCommand(): Command {
  const command = new Command('simulate')
    .description('Serve the simulated plugin API, and optionally the platform API, until Ctrl-C or SIGTERM.')
    .addHelpText('after', environmentHelp)
    .action(async (flags: SimulateFlags) => {
      const { simulate } = await import('./simulate.ts')
      await simulate(flags)
    })
  for (const option of [...pluginOptions(), ...platformOptions(), ...controlOptions()]) command.addOption(option)
  return command
}

const port = wholeNumber(0, 65_535)

function pluginOptions(): readonly Option[] {
  return [
    new Option('--port <n>', 'Port to listen on (default: API_Port, or 8443)').argParser(port).env('TCK_PORT'),
    new Option('--host <address>', 'Address to listen on').default('127.0.0.1').env('TCK_HOST'),
    new Option('--api-key <key>', 'Plugin parameter API_Key. An empty value disables the API').env('TCK_API_KEY'),
    new Option('--data-dir <dir>', 'Folder of the rules file. Without it the rules are kept in memory').env(
      'TCK_DATA_DIR',
    ),
    new Option('--no-fsync', 'Do not wait for the disk: a crash of the machine can lose changes'),
    new Option('--param <name=value>', 'Plugin parameter, like Copy_1 (repeatable)')
      .argParser(collectParameter)
      .default({}),
    new Option('--params <file>', 'JSON file with plugin parameters').env('TCK_PARAMETERS'),
    new Option('--capacity <n>', 'Rule capacity (default: that of the profile, or 1000)')
      .argParser(wholeNumber(0))
      .env('TCK_CAPACITY'),
    new Option('--profile <file>', 'Profile with the answers to serve, for example from `copytrade-tck probe`').env(
      'TCK_PROFILE',
    ),
    new Option('--defect <id>', 'Defect to simulate. `copytrade-tck defects` lists them').env('TCK_DEFECT'),
  ]
}

function platformOptions(): readonly Option[] {
  return [
    new Option('--platform-port <n>', 'Also serve the platform API at this port; 0 selects a free port').argParser(
      port,
    ),
    new Option('--signing <what>', 'Request signatures of the platform API (default: accepted)').choices([
      'off',
      'accepted',
      'required',
    ]),
  ]
}

function controlOptions(): readonly Option[] {
  return [
    new Option('--control-port <n>', 'Also serve the control API and the live page at this port; 0 selects a free port')
      .argParser(port)
      .env('TCK_CONTROL_PORT'),
    new Option('--control-host <address>', 'Address of the control API').default('127.0.0.1').env('TCK_CONTROL_HOST'),
    new Option(
      '--journal <n>',
      'Number of requests to keep in the journal. Without it 10000 are kept if another option needs the journal',
    ).argParser(wholeNumber(1)),
    new Option(
      '--client-report <file>',
      'Report about the client, written when the simulator stops (.html, .md or .json)',
    ),
  ]
}

/** For `--help`: the variables that no option names. */
const environmentHelp = `
TCK_PLATFORM_KEY and TCK_PLATFORM_SECRET hold the key pair of the platform API. Without them
a pair is created and printed to stdout once. TCK_CONTROL_TOKEN holds the token of the control
API. Without it a token is created and printed once.

Environment variables can hold the plugin parameters under their own names: API_Key, API_Port,
Copy_1, Copy_2, … \`--param\` and \`--api-key\` override them; \`--params\` replaces all of them.`

/** Splits `Copy_1=1001>2001,mult,1.0,same` at the first `=`. */
export function collectParameter(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1)
    throw new UsageError(`\`--param ${text}\` has no name.`, 'Use the form `--param "Copy_1=1001>2001,mult,1.0,same"`.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}
