import { Command } from 'commander'
import { interruption } from '../interruption.ts'
import { addFlags, text, toggle, type ValuesOf } from '../options/flags.ts'
import { isAboutTarget, type RunFlags, withRunOptions } from '../options/run-definitions.ts'

const ownFlags = {
  out: text('<file>', 'File for the profile', { otherwise: 'profile.yaml' }),
  force: toggle('Overwrite an existing profile'),
  reportDir: text('<dir>', 'Folder for the ledger and for the output of a started server', { otherwise: 'tck-report' }),
}

export type ProbeFlags = Partial<RunFlags> & ValuesOf<typeof ownFlags>

export function probeCommand(): Command {
  const command = new Command('probe').description(
    'Observe how a server answers the open questions and write the answers to a profile.',
  )
  return withRunOptions(addFlags(command, ownFlags), isAboutTarget).action(async (flags: ProbeFlags) => {
    const { probe } = await import('./probe.ts')
    process.exitCode = await probe(flags, interruption())
  })
}
