import { parse as parseJson } from 'lossless-json'
import { isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, type YAMLError } from 'yaml'
import { visibleLine } from '../../reports/visible.ts'
import { UsageError } from '../command-error.ts'
import { type ConfigEntry, place } from './config-file.ts'

/**
 * The options in YAML. No message repeats a value of the file: it could be a key.
 *
 * @throws {UsageError} when the text is no YAML mapping
 */
export function readYaml(path: string, text: string): readonly ConfigEntry[] {
  return entriesOf(path, text, 'a YAML mapping of options')
}

/**
 * The options in JSON.
 *
 * @throws {UsageError} when the text is no JSON object
 */
export function readJson(path: string, text: string): readonly ConfigEntry[] {
  try {
    parseJson(text)
  } catch (cause) {
    const [, reason = 'it is no valid JSON', position = '0'] =
      /^(.*?) (?:but|encountered|at position).*?(\d+)$/s.exec((cause as Error).message) ?? []
    const line = text.slice(0, Number(position)).split('\n').length
    throw new UsageError(`${place(path, line)}: ${visibleLine(reason)}.`, 'The file holds one JSON object.', { cause })
  }
  // JSON is a part of YAML, and the YAML parser knows the line of each key.
  return entriesOf(path, text, 'a JSON object of options')
}

function entriesOf(path: string, text: string, shape: string): readonly ConfigEntry[] {
  const lines = new LineCounter()
  // Pretty errors would quote the line.
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines })
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line
  const [error] = [...document.errors, ...document.warnings]
  if (error !== undefined) {
    throw new UsageError(`${place(path, lineAt(error.pos[0]))}: ${reasonOf(error)}.`, `The file holds ${shape}.`)
  }
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return []
  if (!isMap(contents)) {
    throw new UsageError(
      `${place(path, lineAt(contents.range?.[0]))}: this is not ${shape}.`,
      'Write one option per line, like "maxFill: 500".',
    )
  }
  return contents.items.map(({ key, value }: Pair) => ({
    key: isScalar(key) ? String(key.value) : '(a key that is no text)',
    value: contentOf(value),
    line: lineAt(isScalar(key) ? key.range?.[0] : undefined),
  }))
}

/** The first part of a message; what follows may be quoted from the file. */
function reasonOf({ message }: YAMLError): string {
  return message.split(/: |;/)[0] ?? message
}

/** Texts, lists and booleans as they are; a number as it is written; nothing else is an option's. */
function contentOf(node: unknown): unknown {
  if (isSeq(node)) return node.items.map((item) => contentOf(item))
  if (!isScalar(node)) return null
  return typeof node.value === 'number' ? (node.source ?? String(node.value)) : node.value
}
