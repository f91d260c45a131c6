import { z } from 'zod'
import { InvalidDocumentError, parseDocument, type SourceDocument } from '../../simulator/documents/parse-document.ts'
import { UsageError } from '../command-error.ts'
import { type ConfigEntry, place } from '../config/read.ts'
import { readTextFile } from '../read-file.ts'

/** One entry of a file of targets, not yet checked: what it says itself, and what the defaults say. */
export interface TargetEntry {
  readonly line: number
  readonly entries: readonly ConfigEntry[]
}

const hint =
  'Write `targets:` with a list of entries. Each has a `name` and options of `run`, like `target` and `risk`.'

const mapping = z.record(z.string(), z.unknown())
const shape = z.strictObject({ defaults: mapping.default({}), targets: z.array(mapping).min(1) })

/**
 * Reads a file of targets, YAML or JSON: `targets`, a list of mappings, and `defaults` for all of them.
 *
 * @throws {UsageError} when it cannot be read or has another shape
 */
export function readTargets(path: string): readonly TargetEntry[] {
  const document = parse(path, readTextFile(path, { name: 'The file of targets', hint }))
  const { data, error } = shape.safeParse(document.value)
  if (error !== undefined) {
    const [issue] = error.issues
    const at = issue?.path.join('.') || 'The file'
    throw new UsageError(`${place(path, document.lineOf(issue?.path ?? []))}: \`${at}\`: ${issue?.message}.`, hint)
  }
  const entriesOf = (options: Record<string, unknown>, ...steps: readonly PropertyKey[]) =>
    Object.entries(options).map(([key, value]) => ({ key, value, line: document.lineOf([...steps, key]) }))
  const defaults = entriesOf(data.defaults, 'defaults')
  return data.targets.map((options, index) => ({
    line: document.lineOf(['targets', index]),
    entries: [...defaults.filter(({ key }) => !(key in options)), ...entriesOf(options, 'targets', index)],
  }))
}

function parse(path: string, text: string): SourceDocument {
  try {
    return parseDocument({ text, name: path, numbersAsWritten: true })
  } catch (cause) {
    if (!(cause instanceof InvalidDocumentError)) throw cause
    throw new UsageError(cause.message, hint, { cause })
  }
}
