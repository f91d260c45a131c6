import { Command } from 'commander'
import { baselineCommand } from './baseline/command.ts'
import { doctorCommand } from './doctor/command.ts'
import { kit } from './kit.ts'
import { openapiCommand } from './openapi.ts'
import { parityCommand } from './parity/command.ts'
import { probeCommand } from './probe/command.ts'
import { registryCommands } from './registries.ts'
import { restoreCommand } from './restore/command.ts'
import { runCommand } from './run/command.ts'
import { selftestCommand } from './selftest/command.ts'
import { simulateCommand } from './simulate/command.ts'

/** The whole command line. `docs/cli.md` is generated from it. */
export function createProgram(): Command {
  const program = new Command(kit.name)
    .description('Compatibility kit for a copy-trade plugin')
    .version(kit.version)
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()
  for (const command of [
    runCommand(),
    probeCommand(),
    parityCommand(),
    restoreCommand(),
    baselineCommand(),
    simulateCommand(),
    doctorCommand(),
    selftestCommand(),
    ...registryCommands(),
    openapiCommand(),
  ]) {
    program.addCommand(command.copyInheritedSettings(program))
  }
  return program
}
