import { InvalidReportError, parseReport } from '../../reports/read-report.ts'
import type { Report } from '../../reports/report.ts'
import { UsageError } from '../command-error.ts'
import { readTextFile } from '../files.ts'

const hint = 'Give the `report.json` of a `copytrade-tck run`.'

/** Reads a report file given by the user. @throws {UsageError} if it cannot be read or is not a report */
export function readReport(path: string): Report {
  try {
    return parseReport(readTextFile(path, { name: 'The report', hint }))
  } catch (cause) {
    if (!(cause instanceof InvalidReportError)) throw cause
    throw new UsageError(`${path} is not a report of this kit:\n${cause.message}`, hint, { cause })
  }
}
