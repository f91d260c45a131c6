import { Command } from 'commander'
import { baselineCommand } from './baseline/command.ts'
import { compareCommand } from './compare/command.ts'
import { doctorCommand } from './doctor/command.ts'
import { fleetCommand, mergeCommand } from './fleet/command.ts'
import { helpLayout } from './options/help.ts'
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
