import { groupByClause } from '../../reports/clause.ts'
import type { Report, ReportedRequirement } from '../../reports/report.ts'
import type { RequirementStatus } from '../../reports/requirement-status.ts'

/** One requirement across several reports. */
export interface MatrixRow {
  readonly requirement: Pick<ReportedRequirement, 'id' | 'clause' | 'level'>
  /** One for each report; null where the report does not have the requirement. */
  readonly statuses: readonly (RequirementStatus | null)[]
}

/** What the rows of a matrix are not. */
export const leftOut = 'Requirements with the same status in all reports are left out, if they did not fail.'

const unjudged: readonly (RequirementStatus | null)[] = ['out-of-scope', 'not-applicable', null]

/** The requirements that fail in a report, or were judged in one and have another status in the next, by clause. */
export function matrixOf(reports: readonly Pick<Report, 'requirements'>[]): readonly MatrixRow[] {
  const columns = reports.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one])))
  const all = new Map(columns.toReversed().flatMap((column) => [...column]))
  return groupByClause([...all.values()]).flatMap(({ items }) =>
    items
      .map((requirement) => ({
        requirement,
        statuses: columns.map((column) => column.get(requirement.id)?.status ?? null),
      }))
      .filter(({ statuses }) => isTelling(statuses)),
  )
}

function isTelling(statuses: MatrixRow['statuses']): boolean {
  if (statuses.every((status) => unjudged.includes(status))) return false
  return statuses.includes('failed') || new Set(statuses).size > 1
}
