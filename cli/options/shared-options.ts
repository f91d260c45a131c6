import type { Command } from 'commander'
import { applyConfig } from '../config/apply.ts'
import { accountOptions, platformOptions } from './platform-definitions.ts'
import { rejectTwoKeys } from './read-key.ts'
import { addRunOptions, runOptions } from './run-definitions.ts'

/** Options of `run` that concern its verdict, its report or a platform, and no other command. */
const ofRunAlone: readonly string[] = [
  ...['profile', 'baseline', 'strict', 'complete', 'bail', 'maxTime', 'out', 'platformUrl', 'failed'],
  ...['watch', 'keepServer', 'evidence', 'reporter', 'verbose', 'quiet'],
  ...[...platformOptions(), ...accountOptions()].map((option) => option.attributeName()),
]

/**
 * Gives a command the options of `run` that say what the target is, how it is reached and what may
 * be done to it, and the configuration file. A new option of `run` is thereby one of the command too.
 */
export function withRunOptions(command: Command, except: readonly string[] = []): Command {
  addRunOptions(command, (name) => ![...ofRunAlone, ...except].includes(name))
  return withConfig(command)
}

/** Reads the configuration file before the command starts, and rejects two keys. The file may hold every option of `run`. */
export function withConfig(command: Command): Command {
  return command
    .hook('preAction', (self) => applyConfig(self, runOptions()))
    .hook('preAction', (self) => rejectTwoKeys(self))
}
