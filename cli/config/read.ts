import { extname } from 'node:path'
import { UsageError } from '../command-error.ts'
import { readTextFile } from '../read-file.ts'
import type { ConfigEntry, ConfigFile } from './config-file.ts'
import { readModule } from './read-module.ts'
import { readJson, readYaml } from './read-text.ts'

type Reader = (path: string, text: string) => readonly ConfigEntry[] | Promise<readonly ConfigEntry[]>

const readers: Readonly<Record<string, Reader>> = {
  '.yaml': readYaml,
  '.yml': readYaml,
  '.json': readJson,
  '.ts': readModule,
  '.mjs': readModule,
  '.js': readModule,
}

/**
 * Reads a configuration file of any of the formats.
 *
 * @throws {UsageError} when the file is missing or invalid
 */
export async function readConfig(path: string): Promise<ConfigFile> {
  const reader = readers[extname(path).toLowerCase()]
  if (reader === undefined) {
    throw new UsageError(
      `${path} is not a supported configuration file.`,
      `Use a name that ends in one of ${Object.keys(readers).join(', ')}.`,
    )
  }
  const words = { name: 'The configuration file', hint: 'Give the path of a file with `--config <path>`.' }
  return { path, entries: await reader(path, readTextFile(path, words).replace(/^\ufeff/, '')) }
}
