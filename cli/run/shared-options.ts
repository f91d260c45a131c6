import { Command, type Option } from 'commander'
import { applyConfig } from '../config/apply.ts'
import { runCommand } from './command.ts'
import { addAccountOptions, addPlatformOptions } from '../options/platform-flags.ts'

/** Options of `run` that are about a platform, which has no profile of its own. */
const platformNames: readonly string[] = addAccountOptions(addPlatformOptions(new Command())).options.map((option) =>
  option.attributeName(),
)

/** Options of `run` that are about its verdict and its report, and nothing for another command. */
const ofRunAlone: readonly string[] = ['profile', 'baseline', 'strict', 'complete', 'out', ...platformNames]

/**
 * Gives a command the options of `run` that say what the target is, how it is reached and what may
 * be done to it, the configuration file too. Whatever `run` learns, such a command learns with it.
 */
export function withRunOptions(command: Command, except: readonly string[] = []): Command {
  const shared = runCommand().options.filter((option) => !isLeftOut(option, except))
  for (const option of shared) command.addOption(option)
  return command.hook('preAction', (self) => applyConfig(self, runCommand().options))
}

function isLeftOut(option: Option, except: readonly string[]): boolean {
  return [...ofRunAlone, ...except].includes(option.attributeName())
}
