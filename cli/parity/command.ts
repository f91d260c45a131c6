import { Command } from 'commander'
import { interruption } from '../interruption.ts'
import { addFlags, text, toggle, type ValuesOf, value } from '../options/flags.ts'
import { bodyPaths, wholeNumber } from '../options/parsers.ts'
import { isAboutTarget, type RunFlags, withRunOptions } from '../options/run-definitions.ts'

const ownFlags = {
  profile: text('<file>', 'Profile of the twin, a simulator. Without it the simulator uses its default answers'),
  against: text('<url>', 'Compare with this running server instead of the simulator'),
  againstApiKey: text('<key>', 'API key of the server at --against (default: the key of the target)', {
    env: 'TCK_AGAINST_API_KEY',
  }),
  ignore: value('<glob>', 'Ignore this path in bodies, like /uptime or /rules/*/note (repeatable)', bodyPaths, {
    otherwise: [],
  }),
  runs: value('<n>', 'Number of random sequences, which follow one sequence for each step', wholeNumber(0), {
    otherwise: 50,
  }),
  maxRequests: value('<n>', 'Maximum number of requests to each server during the comparison', wholeNumber(1), {
    otherwise: 4000,
  }),
  continue: toggle('Go on after a difference, without the step that showed it, and show every one'),
  out: text('<dir>', 'Folder for the ledger and for the output of a started server', { otherwise: 'tck-report' }),
}

export type ParityFlags = Partial<RunFlags> & ValuesOf<typeof ownFlags>

export function parityCommand(): Command {
  const command = new Command('parity').description(
    'Send the same random sequences to a server and to its twin and show the first difference.',
  )
  const isTaken = (name: string) => isAboutTarget(name) && !['only', 'skip', 'jobs'].includes(name)
  return withRunOptions(addFlags(command, ownFlags), isTaken).action(async (flags: ParityFlags) => {
    const { parity } = await import('./parity.ts')
    process.exitCode = await parity(flags, interruption())
  })
}
