import type { core, ZodType } from 'zod'
import { didYouMean } from './nearest.ts'
import { type DocumentSource, InvalidDocumentError, parseDocument } from './parse-document.ts'

type Path = readonly PropertyKey[]

/** A document that fits a schema. @throws {InvalidDocumentError} that names every problem, its line and member */
export function readDocument<Value>(schema: ZodType<Value>, source: DocumentSource): Value {
  const document = parseDocument(source)
  // An alias has no value here, and null may stand for an empty mapping.
  if (document.aliasLines.length > 0) {
    const message = 'An alias is not supported. Write the value itself.'
    throw new InvalidDocumentError(document.aliasLines.map((line) => `${source.name}:${line}: ${message}`))
  }
  const known = new Map<string, readonly string[]>()
  const { data, error } = schema.safeParse(document.value, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') known.set(memberAt(issue.path ?? []), memberNames(issue.inst))
      return expectation(issue)
    },
  })
  if (error === undefined) return data as Value
  const problems = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({
          path: [...issue.path, key],
          message: `unknown member ${code(key)}.${didYouMean(key, known.get(memberAt(issue.path)) ?? [], '`')}`,
        }))
      : [{ path: issue.path, message: `${memberAt(issue.path)} ${issue.message}`.replace(/[^.?]$/, '$&.') }],
  )
  const located = problems.map(({ path, message }) => ({ line: document.lineOf(path), message }))
  located.sort((one, other) => one.line - other.line)
  throw new InvalidDocumentError(located.map(({ line, message }) => `${source.name}:${line}: ${message}`))
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
}

/** What was expected, to complete a sentence; undefined if the schema has its own message. */
function expectation(issue: core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'invalid_value': {
      if (issue.input === undefined) return 'is missing'
      if (typeof issue.input !== 'string') return 'must be a string'
      const values = issue.values.map(String)
      if (values.length === 1) return `must be ${values.map(code).join('')}`
      return `must be one of ${values.map(code).join(', ')}.${didYouMean(String(issue.input), values, '`')}`
    }
    default:
      return undefined
  }
}

/** The path in code type, e.g. `knownFailures[0].reason`. Names with a dot are in brackets. */
function memberAt(path: Path): string {
  if (path.length === 0) return 'The document'
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    return /^[\w-]+$/.test(String(step)) ? `.${String(step)}` : `["${String(step)}"]`
  })
  return code(steps.join('').replace(/^\./, ''))
}

function code(name: string): string {
  return `\`${name}\``
}

function memberNames(schema: unknown): readonly string[] {
  const { shape = {} } = (schema as { _zod: { def: { shape?: object } } })._zod.def
  return Object.keys(shape)
}
