import { type Report, reportSchema } from '../../reports/report.ts'
import { readKitFile } from '../read-kit-file.ts'

/** Reads a report file. @throws {UsageError} if it is not a report */
export function readReport(path: string): Report {
  return readKitFile(path, reportSchema, 'a report', 'Give the `report.json` of a `copytrade-tck run`.')
}
