import { Command } from 'commander'
import { addFlags, text, toggle, type ValuesOf } from '../options/flags.ts'
import { lifeCycleFlags, type RunFlags, withRunOptions } from '../options/run-definitions.ts'

const flags = {
  ledger: text('<file>', 'Ledger of the run. Without it the unfinished run of this user is looked for'),
  reAdd: toggle('Add missing rules again. On a terminal it asks for each; without one it adds all'),
}

export type RestoreFlags = Partial<RunFlags> & Pick<RunFlags, 'timeout' | 'cleanupTimeout'> & ValuesOf<typeof flags>

/** Options of `run` that `restore` accepts. They override those of the interrupted run, which are in the ledger. */
const taken: readonly string[] = [
  ...['apiKey', 'apiKeyFile', 'ca', 'insecure', 'timeout', 'maxRps', 'cleanupTimeout', 'config'],
  ...Object.keys(lifeCycleFlags),
]

export function restoreCommand(): Command {
  const command = addFlags(new Command('restore'), flags).description(
    'Finish the clean-up of an interrupted run: remove its rules and restore the removed ones.',
  )
  return withRunOptions(command, (name) => taken.includes(name)).action(async (flags: RestoreFlags) => {
    const { restore } = await import('./restore.ts')
    process.exitCode = await restore(flags)
  })
}
