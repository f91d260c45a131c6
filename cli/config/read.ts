import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse as parseJson } from 'lossless-json'
import type { ZodType } from 'zod'
import { visibleLine } from '../../reports/visible.ts'
import { InvalidDocumentError, parseDocument, type SourceDocument } from '../../simulator/documents/parse-document.ts'
import { readDocument } from '../../simulator/documents/read-document.ts'
import { UsageError } from '../command-error.ts'
import { readTextFile } from '../files.ts'

type Reader = (path: string, text: string) => readonly ConfigEntry[] | Promise<readonly ConfigEntry[]>

const readers: Readonly<Record<string, Reader>> = {
  '.yaml': readYaml,
  '.yml': readYaml,
  '.json': readJson,
  '.ts': readModule,
  '.mjs': readModule,
  '.js': readModule,
}

/** The options in a configuration file of any format. @throws {UsageError} when the file is missing or invalid */
export async function readConfig(path: string): Promise<readonly ConfigEntry[]> {
  const reader = readers[extname(path).toLowerCase()]
  if (reader === undefined) {
    throw new UsageError(
      `${path} is not a supported configuration file.`,
      `Use a name that ends in one of ${Object.keys(readers).join(', ')}.`,
    )
  }
  const words = { name: 'The configuration file', hint: 'Give the path of a file with `--config <path>`.' }
  return reader(path, readTextFile(path, words))
}

/** An option in a configuration file, not yet validated. */
export interface ConfigEntry {
  readonly key: string
  /** Numbers in YAML and JSON are kept as strings, as for flags. */
  readonly value: unknown
  /** Counted from 1; null if unknown. */
  readonly line: number | null
}

/** `path:line`, which editors and terminals turn into a link. */
export function place(path: string, line: number | null): string {
  return line === null ? path : `${path}:${line}`
}

/** The options in YAML. Messages never repeat a value, which could be a key. @throws {UsageError} */
export function readYaml(path: string, text: string, shape = 'a YAML mapping of options'): readonly ConfigEntry[] {
  const { value, lineOf } = parseOptions(path, text, `The file must hold ${shape}.`)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const message = `${place(path, lineOf([]))}: The file must hold ${shape}.`
    throw new UsageError(message, 'Write one option per line, like `maxFill: 500`.')
  }
  return Object.entries(value).map(([key, option]) => ({ key, value: option, line: lineOf([key]) }))
}

/** The options in JSON. @throws {UsageError} when the text is not a JSON object */
export function readJson(path: string, text: string): readonly ConfigEntry[] {
  try {
    parseJson(text)
  } catch (cause) {
    const [, reason = 'the file is not valid JSON', position = '0'] =
      /^(.*?) (?:but|encountered|at position).*?(\d+)$/s.exec((cause as Error).message) ?? []
    const line = text.slice(0, Number(position)).split('\n').length
    const message = `${place(path, line)}: ${visibleLine(reason)}.`
    throw new UsageError(message, 'The file must hold one JSON object.', { cause })
  }
  // JSON is valid YAML, and the YAML parser knows the line of each member.
  return readYaml(path, text, 'a JSON object of options')
}

/** Parses YAML. Keeps numbers as strings, as for flags. @throws {UsageError} when it is invalid */
export function parseOptions(path: string, text: string, hint: string): SourceDocument {
  return asUsage(hint, () => parseDocument({ text, name: path, numbersAsWritten: true }))
}

/** The same as a value of this shape. @throws {UsageError} with every problem */
export function readShape<Value>(shape: ZodType<Value>, path: string, text: string, hint: string): Value {
  return asUsage(hint, () => readDocument(shape, { text, name: path, numbersAsWritten: true }))
}

function asUsage<Value>(hint: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof InvalidDocumentError)) throw cause
    throw new UsageError(cause.message, hint, { cause })
  }
}

/** The options in the default export of a module. `text` is its source, for line numbers. @throws {UsageError} */
async function readModule(path: string, text: string): Promise<readonly ConfigEntry[]> {
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
    if ((cause as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw new UsageError(
        `${path} cannot be loaded: Node.js ${process.versions.node} cannot load TypeScript.`,
        'A `.ts` file requires Node.js 22.18 or later. Use `tck.config.yaml`, `.json`, `.mjs` or `.js` instead.',
        { cause },
      )
    }
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
    throw new UsageError(`${path} cannot be loaded: ${reason}.`, 'The file must be an ECMAScript module.', { cause })
  }
}

/** A module may compute its options, so the line is certain only if the key occurs once in the source. */
function lineOf(key: string, text: string): number | null {
  if (!/^[\w$-]+$/.test(key)) return null
  const found = [...text.matchAll(new RegExp(`(?<![\\w$-])${key.replaceAll('$', '\\$')}['"]?\\s*:`, 'g'))]
  const [only] = found
  return only === undefined || found.length > 1 ? null : text.slice(0, only.index).split('\n').length
}
