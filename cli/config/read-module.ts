import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../command-error.ts'
import type { ConfigEntry } from './config-file.ts'

/**
 * The options that a module exports by default. `text` is its source, to find lines in.
 *
 * @throws {UsageError} when it cannot be loaded, or exports no object
 */
export async function readModule(path: string, text: string): Promise<readonly ConfigEntry[]> {
  const options = await load(path)
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new UsageError(`${path} has no object of options as its default export.`, 'Write export default { … }.')
  }
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value, line: lineOf(key, text) }))
}

async function load(path: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown }
    return module.default
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION') throw tooOld(path, cause)
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    throw new UsageError(`${path} cannot be loaded: ${reason}.`, 'It must be an ECMAScript module.', { cause })
  }
}

function tooOld(path: string, cause: unknown): UsageError {
  return new UsageError(
    `${path} cannot be loaded: Node.js ${process.versions.node} does not read TypeScript.`,
    'A .ts file needs Node.js 22.18 or later. Use tck.config.yaml, .json, .mjs or .js instead.',
    { cause },
  )
}

/** A module may compute its options, so the line is only told where the source leaves no doubt. */
function lineOf(key: string, text: string): number | null {
  if (!/^[\w$-]+$/.test(key)) return null
  const found = [...text.matchAll(new RegExp(`(?<![\\w$-])${key.replaceAll('$', '\\$')}['"]?\\s*:`, 'g'))]
  const [only] = found
  return only === undefined || found.length > 1 ? null : text.slice(0, only.index).split('\n').length
}
