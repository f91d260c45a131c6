import { Command } from 'commander'
import { interruption } from '../interruption.ts'
import { withRunOptions } from '../options/shared-options.ts'
import type { ProbeFlags } from './probe.ts'

/** `copytrade-tck probe`: learns a profile from a server. Sets the exit code of the process. */
export function probeCommand(): Command {
  const command = new Command('probe')
    .description('Observe how a server answers the open questions and write the answers to a profile.')
    .option('--out <file>', 'File for the profile', 'profile.yaml')
    .option('--force', 'Overwrite an existing profile', false)
    .option('--report-dir <dir>', 'Folder for the ledger and for the output of a started server', 'tck-report')
  return withRunOptions(command).action(async (flags: ProbeFlags) => {
    const { probe } = await import('./probe.ts')
    process.exitCode = await probe(flags, interruption())
  })
}
