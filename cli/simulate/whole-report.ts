import type { ClientReportDocument } from '../../reports/client/document.ts'
import type { ClientReport } from '../../simulator/index.ts'

type Summary = Pick<ClientReportDocument, 'parts' | 'requests' | 'forgotten' | 'mistakes' | 'coverage'>

/** Merges the reports between the resets: a reset empties the journal. */
export function wholeReport(reports: readonly ClientReport[]): Summary {
  const sum = (count: (report: ClientReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  const covered = reports.flatMap(({ coverage }, place) => coverage.map((one) => ({ ...one, part: place + 1 })))
  return {
    parts: reports.length,
    requests: sum(({ requests }) => requests),
    forgotten: sum(({ forgotten }) => forgotten),
    mistakes: reports.flatMap(({ mistakes }, place) => mistakes.map((one) => ({ ...one, part: place + 1 }))),
    coverage: (reports[0]?.coverage ?? []).map(({ id, what, requirements }) => {
      const times = covered.filter((one) => one.id === id).reduce((total, one) => total + one.times, 0)
      const first = covered.find((one) => one.id === id && one.firstEntry !== null)
      const place = first === undefined ? null : { part: first.part, entry: first.firstEntry ?? 0 }
      return { id, what, requirements, times, first: place }
    }),
  }
}
