import { Command, Help, type Option } from 'commander'
import { baselineCommand } from './baseline/command.ts'
import { compareCommand } from './compare/command.ts'
import { doctorCommand } from './doctor/command.ts'
import { fleetCommand, mergeCommand } from './fleet/command.ts'
import { parityCommand } from './parity/command.ts'
import { probeCommand } from './probe/command.ts'
import { registryCommands } from './registries.ts'
import { reportCommand } from './report/command.ts'
import { restoreCommand } from './restore/command.ts'
import { runCommand } from './run/command.ts'
import { selftestCommand } from './selftest/command.ts'
import { simulateCommand } from './simulate/command.ts'
import { nameAndVersion } from './version.ts'

/** The whole command line. `docs/cli.md` is generated from it. */
export function createProgram(): Command {
  const program = new Command(nameAndVersion.name)
    .description('Compatibility kit for a copy-trade plugin')
    .configureHelp(helpLayout)
    .version(nameAndVersion.version, '-V, --version', 'Show the version')
    .helpOption('-h, --help', 'Show this help')
    .helpCommand('help [command]', 'Show the help of a command')
    .showHelpAfterError('(run with --help to list the options)')
    .exitOverride()
  for (const command of [
    runCommand(),
    probeCommand(),
    parityCommand(),
    restoreCommand(),
    baselineCommand(),
    reportCommand(),
    compareCommand(),
    fleetCommand(),
    mergeCommand(),
    simulateCommand(),
    doctorCommand(),
    selftestCommand(),
    ...registryCommands(),
  ]) {
    program.addCommand(command.copyInheritedSettings(program))
    for (const subcommand of command.commands) subcommand.copyInheritedSettings(program)
  }
  return program
}

/** The widest term that shares a line with its description. */
const maxTermWidth = 24

/** The layout of `--help`, for all commands. */
export const helpLayout: Partial<Help> = {
  // Without a limit, one long option would narrow the descriptions of all others.
  padWidth(command, helper) {
    const width = Help.prototype.padWidth.call(helper, command, helper)
    return Math.min(width, maxTermWidth)
  },
  formatItem(term, termWidth, description, helper) {
    const format = (shown: string) => Help.prototype.formatItem.call(helper, shown, termWidth, description, helper)
    return term.length <= termWidth ? format(term) : `  ${term}\n${format('')}`
  },
  optionDescription(option) {
    return isUnset(option) ? option.description : Help.prototype.optionDescription.call(this, option)
  },
}

/** Whether the default is not worth showing: a switch that is off, or an empty list. */
function isUnset({ defaultValue }: Option): boolean {
  return typeof defaultValue === 'object' && defaultValue !== null
    ? Object.keys(defaultValue).length === 0
    : defaultValue === false
}
