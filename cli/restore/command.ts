import { Command } from 'commander'
import { addRunOptions, lifeCycleFlags, withConfig } from '../options/run-definitions.ts'
import type { RestoreFlags } from './restore.ts'

/** Options of `run` that `restore` accepts. They override those of the interrupted run, which are in the ledger. */
const taken: readonly string[] = [
  ...['apiKey', 'apiKeyFile', 'ca', 'insecure', 'timeout', 'cleanupTimeout', 'config'],
  ...Object.keys(lifeCycleFlags),
]

/** `copytrade-tck restore`: finishes the clean-up of an interrupted run. */
export function restoreCommand(): Command {
  const command = new Command('restore')
    .description('Finish the clean-up of an interrupted run: remove its rules and restore the removed ones.')
    .option('--ledger <file>', 'Ledger of the run. Without it the unfinished run of this user is looked for')
    .option('--re-add', 'Add missing rules again. On a terminal it asks for each; without one it adds all', false)
  return withConfig(addRunOptions(command, (name) => taken.includes(name))).action(async (flags: RestoreFlags) => {
    const { restore } = await import('./restore.ts')
    process.exitCode = await restore(flags)
  })
}
