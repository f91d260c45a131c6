import { Command, Option } from 'commander'
import type { Format } from './compare.ts'

/** `copytrade-tck compare`: what changed between reports. Sets the exit code of the process. */
export function compareCommand(): Command {
  return new Command('compare')
    .description('Compare reports: regressions, fixes, changed failures and answers, slower operations.')
    .argument('<old.json>', 'Report with which the others are compared')
    .argument('<new.json...>', 'One report, or several for a matrix of requirements and reports')
    .addOption(
      new Option('--format <name>', 'Text for the terminal, or Markdown').choices(['text', 'md']).default('text'),
    )
    .addHelpText('after', exitCodes)
    .action(async (old: string, others: readonly string[], { format }: { format: Format }) => {
      const { compareReports } = await import('./compare.ts')
      process.exitCode = compareReports([old, ...others], format)
    })
}

const exitCodes = `
Exit codes:
  0  no regression
  1  a check that passed in the first report fails in another
  2  wrong usage
  3  no regression found, but a check that was judged in the first report is blocked in another`
