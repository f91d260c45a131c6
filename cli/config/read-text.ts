import { parse as parseJson } from 'lossless-json'
import { visibleLine } from '../../reports/visible.ts'
import { InvalidDocumentError, parseDocument, type SourceDocument } from '../../simulator/documents/parse-document.ts'
import { UsageError } from '../command-error.ts'
import { type ConfigEntry, place } from './config-file.ts'

/**
 * The options in YAML. No message repeats a value of the file: it could be a key.
 *
 * @throws {UsageError} when the text is not a YAML mapping
 */
export function readYaml(path: string, text: string): readonly ConfigEntry[] {
  return entriesOf(path, text, 'a YAML mapping of options')
}

/**
 * The options in JSON.
 *
 * @throws {UsageError} when the text is not a JSON object
 */
export function readJson(path: string, text: string): readonly ConfigEntry[] {
  try {
    parseJson(text)
  } catch (cause) {
    const [, reason = 'the file is not valid JSON', position = '0'] =
      /^(.*?) (?:but|encountered|at position).*?(\d+)$/s.exec((cause as Error).message) ?? []
    const line = text.slice(0, Number(position)).split('\n').length
    throw new UsageError(`${place(path, line)}: ${visibleLine(reason)}.`, 'The file must hold one JSON object.', {
      cause,
    })
  }
  // JSON is a part of YAML, and the YAML parser knows the line of each member.
  return entriesOf(path, text, 'a JSON object of options')
}

function entriesOf(path: string, text: string, shape: string): readonly ConfigEntry[] {
  const { value, lineOf } = parse(path, text, shape)
  if (value === null) return []
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new UsageError(
      `${place(path, lineOf([]))}: The file must hold ${shape}.`,
      'Write one option per line, like `maxFill: 500`.',
    )
  }
  return Object.entries(value).map(([key, option]) => ({ key, value: option, line: lineOf([key]) }))
}

/** Numbers stay as they are written: flags are strings too. */
function parse(path: string, text: string, shape: string): SourceDocument {
  try {
    return parseDocument({ text, name: path, numbersAsWritten: true })
  } catch (cause) {
    if (!(cause instanceof InvalidDocumentError)) throw cause
    throw new UsageError(cause.problems[0] ?? cause.message, `The file must hold ${shape}.`, { cause })
  }
}
