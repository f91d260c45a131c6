import { Command } from 'commander'
import { UsageError } from '../command-error.ts'
import { addFlags, oneOf, text, toggle, type ValuesOf, value } from '../options/flags.ts'
import { notEmpty, wholeNumber } from '../options/parsers.ts'

const port = wholeNumber(0, 65_535)
const signings = ['off', 'accepted', 'required'] as const

export const simulateFlags = {
  port: value('<n>', 'Port to listen on, 0 for any (default: API_Port, or 8443)', port, { env: 'TCK_PORT' }),
  host: text('<address>', 'Address to listen on', { otherwise: '127.0.0.1', env: 'TCK_HOST' }),
  apiKey: text('<key>', 'Plugin parameter API_Key. An empty value disables the API', { env: 'TCK_API_KEY' }),
  dataDir: text('<dir>', 'Folder of the rules file. Without it the rules are kept in memory', { env: 'TCK_DATA_DIR' }),
  fsync: toggle('Do not wait for the disk: a crash of the machine can lose changes', {
    spelled: '--no-fsync',
    otherwise: true,
  }),
  param: value('<name=value>', 'Plugin parameter, like Copy_1 (repeatable)', collectParameter, { otherwise: {} }),
  params: text('<file>', 'JSON file with plugin parameters', { env: 'TCK_PARAMETERS' }),
  capacity: value('<n>', 'Rule capacity (default: that of the profile, or 1000)', wholeNumber(0), {
    env: 'TCK_CAPACITY',
  }),
  profile: text('<file>', 'Profile with the answers to serve, for example from `copytrade-tck probe`', {
    env: 'TCK_PROFILE',
  }),
  defect: value('<id>', 'Defect to simulate (repeatable). `copytrade-tck defects` lists them', collectIds, {
    env: 'TCK_DEFECT',
  }),
  like: text(
    '<report.json>',
    'Report of a server, to serve what was judged: its answers, its capacity and its confirmed and possible faults',
    { conflicts: 'profile' },
  ),
  platformPort: value('<n>', 'Also serve the platform API at this port; 0 selects a free port', port),
  signing: oneOf('<what>', 'Request signatures of the platform API (default: accepted)', signings),
  controlPort: value('<n>', 'Also serve the control API and the live page at this port; 0 selects a free port', port, {
    env: 'TCK_CONTROL_PORT',
  }),
  controlHost: text('<address>', 'Address of the control API', { otherwise: '127.0.0.1', env: 'TCK_CONTROL_HOST' }),
  journal: value(
    '<n>',
    'Number of requests to keep in the journal. Without it 10000 are kept if another option needs the journal',
    wholeNumber(1),
  ),
  clientReport: text('<file>', 'Report about the client, written when the simulator stops (.html, .md or .json)'),
}

export type SimulateFlags = ValuesOf<typeof simulateFlags>

/** Splits `Copy_1=1001>2001,mult,1.0,same` at the first `=`. */
export function collectParameter(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=')
  // The text may be a key.
  if (at < 1)
    throw new UsageError(
      '`--param` needs a name, an equals sign and a value.',
      'Use the form `--param "Copy_1=1001>2001,mult,1.0,same"`.',
    )
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** The variable separates ids by commas. */
function collectIds(text: string, before: readonly string[] = []): readonly string[] {
  const ids = text.split(',').map((id) => id.trim())
  const given = ids.filter((id) => id !== '')
  notEmpty('delete.removes-the-next')(given.join())
  return [...before, ...given]
}

export function simulateCommand(): Command {
  return addFlags(new Command('simulate'), simulateFlags)
    .description('Serve the simulated plugin API, and optionally the platform API, until Ctrl-C or SIGTERM.')
    .addHelpText('after', environmentHelp)
    .action(async (flags: SimulateFlags) => {
      const { simulate } = await import('./simulate.ts')
      await simulate(flags)
    })
}

/** For `--help`: the environment variables without an option. */
const environmentHelp = `
TCK_PLATFORM_KEY and TCK_PLATFORM_SECRET hold the key pair of the platform API. Without them
a pair is created and printed to stdout once. TCK_CONTROL_TOKEN holds the token of the control
API. Without it a token is created and printed once.

Environment variables can hold the plugin parameters under their own names: API_Key, API_Port,
Copy_1, Copy_2, … \`--param\` and \`--api-key\` override them; \`--params\` replaces all of them.`
