import { Command } from 'commander'
import { withRunOptions } from '../run/shared-options.ts'
import { interruption } from '../run/command.ts'
import type { ProbeFlags } from './options.ts'

/** `copytrade-tck probe`: learns a profile from a server. Sets the exit code of the process. */
export function probeCommand(): Command {
  const command = new Command('probe')
    .description('learn how a server answers the open questions, and write it down as a profile')
    .option('--out <file>', 'where the profile is written', 'profile.yaml')
    .option('--report-dir <dir>', 'folder of the ledger, and of what a started server prints', 'tck-report')
  return withRunOptions(command).action(async (flags: ProbeFlags) => {
    const { probe } = await import('./probe.ts')
    process.exitCode = await probe(flags, interruption())
  })
}
