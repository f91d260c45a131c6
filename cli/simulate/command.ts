import { Command } from 'commander'
import { addFlags } from '../options/flags.ts'
import { type SimulateFlags, simulateFlags } from './options.ts'

/** `copytrade-tck simulate`: serves the plugin API until it is stopped. */
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
