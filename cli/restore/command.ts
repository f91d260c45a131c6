import { Command, Option } from 'commander'
import { applyConfig, configOption } from '../config/apply.ts'
import { lifeCycleOptions } from '../options/life-cycle-options.ts'
import { wholeNumber } from '../options/parsers.ts'
import { caOption, insecureOption } from '../options/transport-options.ts'
import { runCommand } from '../run/command.ts'
import type { RestoreFlags } from './restore.ts'

/** `copytrade-tck restore`: finishes the clean-up of an interrupted run. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('finish the clean-up of an interrupted run: give the server back as it was found')
    .requiredOption('--ledger <file>', 'the ledger in the report folder of that run')
    .addOption(new Option('--api-key <key>', 'plugin key (better: TCK_API_KEY or --api-key-file)').env('TCK_API_KEY'))
    .option('--api-key-file <path>', 'file that holds the plugin key')
    .addOption(caOption())
    .addOption(insecureOption())
    .option('--timeout <ms>', 'limit for each request', wholeNumber(1), 10_000)
    .option('--patience <ms>', 'how long to wait for a quiet moment of the list', wholeNumber(1), 60_000)
    .addOption(configOption())
    .hook('preAction', (command) => applyConfig(command, runCommand().options))
    .action(async (flags: RestoreFlags) => {
      const { restore } = await import('./restore.ts')
      process.exitCode = await restore(flags)
    })
  // Those of the run stand in the ledger; they can be given anew.
  for (const option of lifeCycleOptions()) command.addOption(option)
  return command
}
