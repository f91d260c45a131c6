import type { ClientReportDocument } from '../../reports/client/document.ts'
import type { ClientReport } from '../../simulator/index.ts'

type Said = Pick<ClientReportDocument, 'parts' | 'requests' | 'forgotten' | 'mistakes' | 'coverage'>

/** One report of several: tests reset a simulator again and again, and a reset takes the journal away. */
export function wholeReport(reports: readonly ClientReport[]): Said {
  const sum = (count: (report: ClientReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  const met = reports.flatMap(({ coverage }, place) => coverage.map((one) => ({ ...one, part: place + 1 })))
  return {
    parts: reports.length,
    requests: sum(({ requests }) => requests),
    forgotten: sum(({ forgotten }) => forgotten),
    mistakes: reports.flatMap(({ mistakes }, place) => mistakes.map((one) => ({ ...one, part: place + 1 }))),
    coverage: (reports[0]?.coverage ?? []).map(({ id, what, requirements }) => {
      const times = met.filter((one) => one.id === id).reduce((total, one) => total + one.times, 0)
      const first = met.find((one) => one.id === id && one.firstEntry !== null)
      const place = first === undefined ? null : { part: first.part, entry: first.firstEntry ?? 0 }
      return { id, what, requirements, times, first: place }
    }),
  }
}
