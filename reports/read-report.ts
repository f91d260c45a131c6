import { z } from 'zod'
import { type Report, reportSchema } from './report.ts'

export class InvalidReportError extends Error {
  override readonly name = 'InvalidReportError'
}

const maxProblems = 5

/**
 * Reads a report.
 *
 * @throws {InvalidReportError} when it is not a report, with the invalid members and what was expected
 */
export function parseReport(text: string): Report {
  const document = parseJson(text)
  const { error } = reportSchema.safeParse(document)
  if (error === undefined) return document as Report
  // In a file of another kind everything else would be reported too.
  const otherSchema = error.issues.filter(({ path }) => path.length === 0 || path[0] === 'schema')
  const issues = otherSchema.length > 0 ? otherSchema : error.issues
  const lines = issues.slice(0, maxProblems).map(({ path, message }) => {
    const where = path.length === 0 ? 'the document' : `\`${z.core.toDotPath(path)}\``
    return `- ${where}: ${message.replace(/^Invalid \w+: /, '')}`
  })
  const more = issues.length - lines.length
  throw new InvalidReportError([...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n'))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new InvalidReportError(`- the document: ${(cause as Error).message}`, { cause })
  }
}
