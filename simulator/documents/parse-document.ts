import { isMap, isScalar, isSeq, LineCounter, parseDocument as parseYaml, Scalar, visit, type YAMLError } from 'yaml'

/** A YAML document. JSON is a subset of YAML. */
export interface DocumentSource {
  readonly text: string
  /** The file, for messages. */
  readonly name: string
  /** Whether numbers are kept as strings as they are written, like `1.10`. */
  readonly numbersAsWritten?: boolean
}

/** A parsed document and the lines of its members. Lines are counted from 1. */
export type SourceDocument = ReturnType<typeof parseDocument>

/** A document is invalid. The message has one line per problem, with file, line, member and expectation. */
export class InvalidDocumentError extends Error {
  override readonly name = 'InvalidDocumentError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Messages repeat no value, which could be a secret. @throws {InvalidDocumentError} if it is not valid YAML */
export function parseDocument({ text, name, numbersAsWritten = false }: DocumentSource) {
  const lines = new LineCounter()
  const lineAt = (offset: number) => lines.linePos(offset).line
  // Pretty errors would quote the line, and a warning a key that is not a string.
  const document = parseYaml(text, { prettyErrors: false, logLevel: 'error', lineCounter: lines })
  const errors = [...document.errors, ...document.warnings]
  if (errors.length > 0) {
    throw new InvalidDocumentError(errors.map((error) => `${name}:${lineAt(error.pos[0])}: ${reasonOf(error)}.`))
  }
  const aliasLines: number[] = []
  visit(document, {
    // No document of the kit needs one.
    Alias: (_key, alias) => {
      aliasLines.push(lineAt(startOf(alias)))
      return new Scalar(null)
    },
    Scalar: (key, node) => {
      const { value, source } = node
      const asWritten = key === 'key' || (numbersAsWritten && typeof value === 'number')
      if (asWritten && typeof value !== 'string') node.value = source ?? String(value)
    },
  })
  return {
    value: document.toJS() as unknown,
    /** The lines with an alias, which is null in `value`. */
    aliasLines,
    /** The line of the member at a path, or of the innermost existing value around it. */
    lineOf: (path: readonly PropertyKey[]) => lineAt(offsetOf(document.contents, path)),
  }
}

/** The first part of a message. The rest may quote the document. */
function reasonOf({ message }: YAMLError): string {
  return message.split(/: |;/)[0] ?? message
}

function offsetOf(node: unknown, [step, ...rest]: readonly PropertyKey[]): number {
  if (isSeq(node) && node.items[Number(step)] !== undefined) return offsetOf(node.items[Number(step)], rest)
  const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined
  if (pair === undefined) return startOf(node)
  return rest.length === 0 ? startOf(pair.key) : offsetOf(pair.value ?? pair.key, rest)
}

function startOf(node: unknown): number {
  const { range } = (node ?? {}) as { range?: readonly number[] | null }
  return range?.[0] ?? 0
}
