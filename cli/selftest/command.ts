import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import { addFlags, text, toggle, type ValuesOf, value } from '../options/flags.ts'
import { collect, wholeNumber } from '../options/parsers.ts'

const flags = {
  profiles: value('<n>', 'Number of random profiles', wholeNumber(0), { otherwise: 20 }),
  sample: value('<n>', 'Number of randomly chosen defects of each API to try (default: all)', wholeNumber(1)),
  quick: toggle('Judge each defect only by the requirements that it names'),
  only: value('<glob>', 'Only defects or requirements with a matching id (repeatable)', collect, { otherwise: [] }),
  seed: value('<n>', 'Seed of everything random. Without it the seed is random', wholeNumber(0, 2 ** 31 - 1)),
  jobs: value('<n>', 'Number of processes', wholeNumber(1, 64), {
    otherwise: availableParallelism(),
    shown: 'one per core',
  }),
  out: text('<dir>', 'Folder for the kill matrix', { otherwise: 'tck-selftest' }),
  json: toggle('Print the kill matrix as JSON'),
}

type SelftestFlags = ValuesOf<typeof flags>

/** The options of `selftest`, with the seed that was drawn if none was given. */
export type SelftestOptions = SelftestFlags & { readonly seed: number }

export function selftestCommand(): Command {
  return addFlags(new Command('selftest'), flags)
    .description('Test the kit itself: every defect is caught, and no correct server fails.')
    .addHelpText('after', exitCodes)
    .action(async ({ seed = randomInt(2 ** 31), ...given }: SelftestFlags) => {
      const { selftest } = await import('./selftest.ts')
      process.exitCode = await selftest({ ...given, seed })
    })
}

const exitCodes = `
Exit codes:
  0   all laws hold
  1   a false alarm, a missed defect or an unproven requirement
  2   wrong usage
  70  internal error of the kit`
