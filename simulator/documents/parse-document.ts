import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument as parseYaml,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml'

/** A YAML document. JSON is a subset of YAML. */
export interface DocumentSource {
  readonly text: string
  /** The file, for messages. */
  readonly name: string
  /** Whether numbers are kept as strings as they are written, like `1.10`. */
  readonly numbersAsWritten?: boolean
}

/** A parsed document and the lines of its members. */
export interface SourceDocument {
  readonly value: unknown
  /** The lines with an alias, which is null in `value`. Counted from 1. */
  readonly aliasLines: readonly number[]
  /** The line of the member at a path, or of the innermost existing value around it. Counted from 1. */
  lineOf(path: readonly PropertyKey[]): number
}

/** A document is invalid. The message has one line per problem, with file, line, member and expectation. */
export class InvalidDocumentError extends Error {
  override readonly name = 'InvalidDocumentError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Parses a document. Messages repeat no value of it, which could be a secret.
 * @throws {InvalidDocumentError} if it is not valid YAML
 */
export function parseDocument({ text, name, numbersAsWritten = false }: DocumentSource): SourceDocument {
  const lines = new LineCounter()
  const lineAt = (offset: number) => lines.linePos(offset).line
  // Pretty errors would quote the line.
  const document = parseYaml(text, { prettyErrors: false, lineCounter: lines })
  const errors = [...document.errors, ...document.warnings]
  if (errors.length > 0) {
    throw new InvalidDocumentError(errors.map((error) => `${name}:${lineAt(error.pos[0])}: ${reasonOf(error)}.`))
  }
  const aliasLines: number[] = []
  visit(document, { Alias: (_key, alias) => void aliasLines.push(lineAt(startOf(alias))) })
  return {
    value: dataOf(document.contents, numbersAsWritten),
    aliasLines,
    lineOf: (path) => lineAt(offsetOf(document.contents, path)),
  }
}

/** The first part of a message. The rest may quote the document. */
function reasonOf({ message }: YAMLError): string {
  return message.split(/: |;/)[0] ?? message
}

/** Converts to plain data. An alias becomes null: no document of the kit needs one. */
function dataOf(node: unknown, numbersAsWritten: boolean): unknown {
  if (isMap(node)) {
    return Object.fromEntries(node.items.map(({ key, value }) => [nameOf(key), dataOf(value, numbersAsWritten)]))
  }
  if (isSeq(node)) return node.items.map((item) => dataOf(item, numbersAsWritten))
  if (!isScalar(node)) return null
  return typeof node.value === 'number' && numbersAsWritten ? sourceOf(node) : node.value
}

function nameOf(key: unknown): string {
  return isScalar(key) ? sourceOf(key) : '(a key that is not a string)'
}

function sourceOf({ value, source }: Scalar): string {
  return typeof value === 'string' ? value : (source ?? String(value))
}

function offsetOf(node: unknown, [step, ...rest]: readonly PropertyKey[]): number {
  if (isSeq(node) && node.items[Number(step)] !== undefined) return offsetOf(node.items[Number(step)], rest)
  const pair = isMap(node) ? node.items.find(({ key }) => nameOf(key) === step) : undefined
  if (pair === undefined) return startOf(node)
  return rest.length === 0 ? startOf(pair.key) : offsetOf(pair.value ?? pair.key, rest)
}

function startOf(node: unknown): number {
  const { range } = (node ?? {}) as { range?: readonly number[] | null }
  return range?.[0] ?? 0
}
