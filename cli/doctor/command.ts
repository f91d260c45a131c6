import { Command } from 'commander'
import { addFlags, toggle, type ValuesOf } from '../options/flags.ts'
import { lifeCycleFlags, platformFlags, type RunFlags, withRunOptions } from '../options/run-definitions.ts'

const flags = { json: toggle('Print the result as JSON') }

export type DoctorFlags = Partial<RunFlags> & ValuesOf<typeof flags>

/** Options of `run` that `doctor` accepts: the target and how to reach it. */
const taken: readonly string[] = [
  ...['target', 'apiKey', 'apiKeyFile', 'platformUrl', 'logins', 'capacity', 'ca', 'insecure', 'timeout', 'config'],
  ...Object.keys({ ...lifeCycleFlags, ...platformFlags }),
]

export function doctorCommand(): Command {
  const command = addFlags(new Command('doctor'), flags).description('Check that a target is ready. Sends only GET.')
  return withRunOptions(command, (name) => taken.includes(name))
    .addHelpText('after', exitCodes)
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await import('./doctor.ts')
      process.exitCode = await doctor(flags)
    })
}

const exitCodes = `
Exit codes:
  0  ready, at least for run --risk read; there may be warnings
  2  wrong usage; nothing was sent
  4  not ready: the target cannot be reached, is not the expected API, or rejects the key`
