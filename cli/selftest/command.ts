import { Command } from 'commander'
import { collect, wholeNumber } from '../options/parsers.ts'
import { resolveSelftestOptions, type SelftestFlags } from './options.ts'

/** `copytrade-tck selftest`: tests the kit itself. Sets the exit code of the process. */
export function selftestCommand(): Command {
  return new Command('selftest')
    .description('test the kit itself: does every check catch what it is for, and never anything else?')
    .option('--profiles <n>', 'how many random profiles', wholeNumber(0), 20)
    .option(
      '--combined <n>',
      'how many defects, chosen at random, are tried under them too (default: all)',
      wholeNumber(0),
    )
    .option('--quick', 'judge each defect by the requirements that it names alone', false)
    .option('--only <glob>', 'only defects or requirements whose id matches (repeatable)', collect, [])
    .option('--seed <n>', 'seed of everything random (default: random)', wholeNumber(0, 2 ** 31 - 1))
    .option('--jobs <n>', 'how many threads (default: one for each core)', wholeNumber(1, 64))
    .option('--out <dir>', 'folder of the kill matrix', 'tck-selftest')
    .option('--json', 'print the kill matrix as JSON', false)
    .addHelpText('after', exitCodes)
    .action(async (flags: SelftestFlags) => {
      const options = resolveSelftestOptions(flags)
      const { selftest } = await import('./selftest.ts')
      process.exitCode = await selftest(options)
    })
}

const exitCodes = `
Exit codes:
  0   every law holds
  1   a false alarm, a defect that is missed, or a toothless requirement
  2   wrong usage
  70  the kit broke while it was testing itself`
