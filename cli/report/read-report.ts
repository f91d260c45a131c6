import { z } from 'zod'
import { type Report, reportSchema } from '../../reports/report.ts'
import { UsageError } from '../command-error.ts'
import { readTextFile } from '../files.ts'

const hint = 'Give the `report.json` of a `copytrade-tck run`.'
const maxProblems = 5

/** Reads a report file. @throws {UsageError} if it is not a report, with the invalid members and what was expected */
export function readReport(path: string): Report {
  const text = readTextFile(path, { name: 'The report', hint })
  const invalid = (problems: readonly string[], cause?: unknown) => {
    const lines = [`${path} is not a report of this kit:`, ...problems.map((problem) => `- ${problem}`)]
    return new UsageError(lines.join('\n'), hint, { cause })
  }
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (cause) {
    throw invalid([`the document: ${(cause as Error).message}`], cause)
  }
  const { error } = reportSchema.safeParse(document)
  if (error !== undefined) throw invalid(problemsIn(error), error)
  return document as Report
}

function problemsIn({ issues }: z.ZodError): readonly string[] {
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
