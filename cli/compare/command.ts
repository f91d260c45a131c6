import { Command } from 'commander'
import { addFlags, oneOf, text, type ValuesOf } from '../options/flags.ts'

const flags = {
  format: oneOf('<name>', 'Text for the terminal, Markdown, or a page', ['text', 'md', 'html'], { otherwise: 'text' }),
  out: text('<file>', 'File to write. Without it the comparison goes to stdout'),
}

export type CompareFlags = ValuesOf<typeof flags>

export function compareCommand(): Command {
  return addFlags(new Command('compare'), flags)
    .description('Compare reports: regressions, fixes, changed failures and answers, slower operations.')
    .argument('<old.json>', 'Report with which the others are compared, or the fleet.json of a fleet')
    .argument('<new.json...>', 'One report, several for a matrix of requirements and reports, or a fleet.json')
    .addHelpText('after', exitCodes)
    .action(async (old: string, others: readonly string[], flags: CompareFlags) => {
      const { compareFiles } = await import('./compare.ts')
      process.exitCode = compareFiles([old, ...others], flags)
    })
}

const exitCodes = `
Exit codes:
  0  no regression
  1  a check that passed in the first report fails in another, or a server that the kit started is lost at its end
  2  wrong usage
  3  no regression found, but a check, a question or an install that was judged before can no longer be judged`
