import { type Report, reportSchema } from '../../reports/report.ts'
import { readJson } from '../read-json.ts'

/** Reads a report file. @throws {UsageError} if it is not a report */
export function readReport(path: string): Report {
  return readJson(path, reportSchema, 'a report', 'Give the `report.json` of a `copytrade-tck run`.')
}
