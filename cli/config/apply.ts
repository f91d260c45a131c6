import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../command-error.ts'
import { overriddenBy } from './alternatives.ts'

const name = 'config'

/**
 * Fills options from the configuration file unless flags or the environment give them. `accepted` are all options that
 * the file may hold. @throws {UsageError} when there is more than one file, or the file is invalid
 */
export async function applyConfig(command: Command, accepted = command.options): Promise<void> {
  const path = command.getOptionValue(name) ?? findConfig(process.cwd())
  if (path === null) return
  // The parsers are loaded only when needed, since the command must start fast.
  const [{ readConfig }, { resolveConfig }] = await Promise.all([import('./read.ts'), import('./resolve.ts')])
  const options = accepted.filter((option) => option.attributeName() !== name)
  const values = resolveConfig(path, await readConfig(path), options)
  for (const [key, value] of values) {
    const given = options.find((option) => option.attributeName() === key)
    // Options of two commands may share a name but differ: `--out` is a folder or a file.
    const isTaken = command.options.some(({ flags }) => flags === given?.flags)
    if (isTaken && !isOverridden(command, key)) command.setOptionValueWithSource(key, value, 'config')
  }
}

function isOverridden(command: Command, key: string): boolean {
  return overriddenBy(key).some((one) => ![undefined, 'default', 'config'].includes(command.getOptionValueSource(one)))
}

/** The names of configuration files that are used without `--config`. */
export const configNames = ['yaml', 'yml', 'json', 'ts', 'mjs', 'js'].map((ending) => `tck.config.${ending}`)

/** The configuration file in a folder; null if there is none. @throws {UsageError} when there are several */
export function findConfig(folder: string): string | null {
  const [found, ...others] = configNames.filter((name) => existsSync(join(folder, name)))
  if (found === undefined) return null
  if (others.length === 0) return found
  throw new UsageError(
    `There is more than one configuration file: ${[found, ...others].join(', ')}.`,
    'Keep one of them, or choose one with `--config <path>`.',
  )
}
