#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { baselineCommand } from './baseline/command.ts'
import { doctorCommand } from './doctor/command.ts'
import { exitCode } from './exit-code.ts'
import { kit } from './kit.ts'
import { openapiCommand } from './openapi.ts'
import { parityCommand } from './parity/command.ts'
import { probeCommand } from './probe/command.ts'
import { registryCommands } from './registries.ts'
import { restoreCommand } from './restore/command.ts'
import { runCommand } from './run/command.ts'
import { selftestCommand } from './selftest/command.ts'
import { simulateCommand } from './simulate/command.ts'

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

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Tells a person what went wrong and returns the exit code for it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCode.usage
  if (isForPeople(error)) {
    process.stderr.write(`${error.message}\n${error.hint}\n`)
    return error.exitCode ?? exitCode.usage
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`This is an error of the kit, not of the target.\n${details}\n`)
  return exitCode.kitError
}

/** Errors that a person can do something about carry a hint. */
function isForPeople(error: unknown): error is Error & { hint: string; exitCode?: number } {
  return error instanceof Error && 'hint' in error && typeof error.hint === 'string'
}
