import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../command-error.ts'

/** The names of configuration files that are found without `--config`. */
export const configNames = [
  'tck.config.yaml',
  'tck.config.yml',
  'tck.config.json',
  'tck.config.ts',
  'tck.config.mjs',
  'tck.config.js',
] as const

/**
 * The name of the configuration file in a folder, or null if there is none.
 *
 * @throws {UsageError} when there are several, because none of them has priority
 */
export function findConfig(folder: string): string | null {
  const [found, ...others] = configNames.filter((name) => existsSync(join(folder, name)))
  if (found === undefined) return null
  if (others.length === 0) return found
  throw new UsageError(
    `There is more than one configuration file: ${[found, ...others].join(', ')}.`,
    'Keep one of them, or choose one with `--config <path>`.',
  )
}
