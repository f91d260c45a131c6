import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../command-error.ts'
import type { ConfigEntry } from './config-file.ts'

/**
 * The options that a module exports by default. `text` is its source, for line numbers.
 *
 * @throws {UsageError} when it cannot be loaded, or does not export an object
 */
export async function readModule(path: string, text: string): Promise<readonly ConfigEntry[]> {
  const options = await load(path)
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new UsageError(`${path} must export an object of options as its default.`, 'Write `export default { … }`.')
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
    throw new UsageError(`${path} cannot be loaded: ${reason}.`, 'The file must be an ECMAScript module.', { cause })
  }
}

function tooOld(path: string, cause: unknown): UsageError {
  return new UsageError(
    `${path} cannot be loaded: Node.js ${process.versions.node} cannot load TypeScript.`,
    'A `.ts` file requires Node.js 22.18 or later. Use `tck.config.yaml`, `.json`, `.mjs` or `.js` instead.',
    { cause },
  )
}

/** A module may compute its options, so the line is known only if the key occurs once in the source. */
function lineOf(key: string, text: string): number | null {
  if (!/^[\w$-]+$/.test(key)) return null
  const found = [...text.matchAll(new RegExp(`(?<![\\w$-])${key.replaceAll('$', '\\$')}['"]?\\s*:`, 'g'))]
  const [only] = found
  return only === undefined || found.length > 1 ? null : text.slice(0, only.index).split('\n').length
}
