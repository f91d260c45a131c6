import { Command } from 'commander'
import { collect, wholeNumber } from '../options/parsers.ts'
import type { SelftestFlags } from './options.ts'

/** `copytrade-tck selftest`: tests the kit itself. Sets the exit code of the process. */
export function selftestCommand(): Command {
  return new Command('selftest')
    .description('Test the kit itself: every defect is caught, and no correct server fails.')
    .option('--profiles <n>', 'Number of random profiles', wholeNumber(0), 20)
    .option('--sample <n>', 'Number of randomly chosen defects of each API to try (default: all)', wholeNumber(1))
    .option('--quick', 'Judge each defect only by the requirements that it names', false)
    .option('--only <glob>', 'Only defects or requirements with a matching id (repeatable)', collect, [])
    .option('--seed <n>', 'Seed of everything random. Without it the seed is random', wholeNumber(0, 2 ** 31 - 1))
    .option('--jobs <n>', 'Number of threads (default: one per core)', wholeNumber(1, 64))
    .option('--out <dir>', 'Folder for the kill matrix', 'tck-selftest')
    .option('--json', 'Print the kill matrix as JSON', false)
    .addHelpText('after', exitCodes)
    .action(async (flags: SelftestFlags) => {
      const { resolveSelftestOptions } = await import('./options.ts')
      const options = resolveSelftestOptions(flags)
      const { selftest } = await import('./selftest.ts')
      process.exitCode = await selftest(options)
    })
}

const exitCodes = `
Exit codes:
  0   all laws hold
  1   a false alarm, a missed defect or an unproven requirement
  2   wrong usage
  70  internal error of the kit`
