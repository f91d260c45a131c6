import { Command, Option } from 'commander'
import { interruption } from '../interruption.ts'
import { lifeCycleOptions } from '../options/life-cycle-options.ts'
import { duration, wholeNumber } from '../options/parsers.ts'
import { withRunOptions } from '../options/shared-options.ts'
import type { LoadFlags } from './load.ts'

/** Options of `run` about checks. */
const ofChecks = ['only', 'skip', 'jobs', 'plan', 'thorough', 'maxFill', 'maxRps', 'copySyntax']

/** `copytrade-tck load`: measures response times at a fixed rate. Sets the exit code of the process. */
export function loadCommand(): Command {
  const command = new Command('load')
    .summary('Send requests at a fixed rate and measure the response times.')
    .description(
      'Send reads at a fixed rate, add and remove rules of the kit meanwhile, and print the response times. A response time counts from the moment when the request was due, so that a stalled server is not measured too well.',
    )
    .option('--rate <n>', 'Reads per second', wholeNumber(1, 10_000), 50)
    .addOption(new Option('--duration <time>', 'How long, like `30s`').argParser(duration).default(30_000, '30s'))
    .option('--writes <n>', 'Rules per second that are added and removed, one after the other', wholeNumber(0, 100), 1)
    .option('--max-p99 <ms>', 'Exit 1 if the 99th percentile of an operation is above', wholeNumber(1))
    .addOption(new Option('--export <tool>', 'Print an equivalent script, and send nothing').choices(['k6']))
    .option('--out <dir>', 'Folder for the ledger and for the output of a started server', 'tck-report')
  const lifeCycle = lifeCycleOptions().map((option) => option.attributeName())
  return withRunOptions(command, [...ofChecks, ...lifeCycle])
    .addHelpText('after', exitCodes)
    .action(async (flags: LoadFlags) => {
      if (flags.export === 'k6') {
        const { k6Script } = await import('./k6.ts')
        process.stdout.write(k6Script(flags))
        return
      }
      const { load } = await import('./load.ts')
      process.exitCode = await load(flags, interruption('Stopping, then cleaning up.'))
    })
}

const exitCodes = `
Exit codes:
  0  every request succeeded, within --max-p99
  1  a request failed, or --max-p99 was exceeded
  3  stopped early, or the kit sent requests too late to judge --max-p99
  2, 4, 5, 70  as for \`run\``
