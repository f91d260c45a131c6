import { type ZodError, type ZodType, z } from 'zod'
import { UsageError } from './command-error.ts'
import { readTextFile } from './files.ts'

const maxProblems = 5

/**
 * A JSON file that the kit has written. `what` is the kind of file, like `a report`.
 *
 * @throws {UsageError} for another file, with the invalid members and what was expected
 */
export function readKitFile<Value>(path: string, schema: ZodType<Value>, what: string, hint: string): Value {
  const text = readTextFile(path, { name: path, hint })
  const invalid = (problems: readonly string[], cause?: unknown) => {
    const lines = [`${path} is not ${what} of this kit:`, ...problems.map((problem) => `- ${problem}`)]
    return new UsageError(lines.join('\n'), hint, { cause })
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (cause) {
    throw invalid([`the document: ${(cause as Error).message}`], cause)
  }
  const { error } = schema.safeParse(document)
  if (error !== undefined) throw invalid(problemsIn(error), error)
  return document as Value
}

function problemsIn({ issues }: ZodError): readonly string[] {
  // In a file of another kind everything else would be reported too.
  const otherSchema = issues.filter(({ path }) => path.length === 0 || path[0] === 'schema')
  const counting = otherSchema.length > 0 ? otherSchema : issues
  const lines = counting.slice(0, maxProblems).map(({ path, message }) => {
    const where = path.length === 0 ? 'the document' : `\`${z.core.toDotPath(path)}\``
    return `${where}: ${message.replace(/^Invalid \w+: /, '')}`
  })
  const more = counting.length - lines.length
  return more > 0 ? [...lines, `and ${more} more`] : lines
}
