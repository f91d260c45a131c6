import { paintFor } from '../../reports/paint.ts'
import { readReport } from '../report/read-report.ts'
import { changesBetween, differencesOfRuns } from './changes.ts'
import { type Comparison, exitCodeOf, type Version } from './comparison.ts'
import { matrixOf } from './matrix.ts'
import { comparisonMarkdown, matrixMarkdown } from './render-markdown.ts'
import { comparisonText, matrixText } from './render-text.ts'

/** How a comparison is printed. */
export type Format = 'text' | 'md'

/**
 * Compares each further report with the first, prints it and returns the exit code.
 *
 * @throws {UsageError} when a file is no report
 */
export function compareReports([old, ...others]: readonly [string, ...string[]], format: Format): number {
  const first = { name: old, report: readReport(old) }
  const comparisons = others.map((path) => compareVersions(first, { name: path, report: readReport(path) }))
  process.stdout.write(rendered(comparisons, format))
  return exitCodeOf(comparisons.flatMap(({ changes }) => changes))
}

/** What differs between two reports. */
export function compareVersions(old: Version, fresh: Version): Comparison {
  return {
    old,
    fresh,
    differencesOfRuns: differencesOfRuns(old.report, fresh.report),
    changes: changesBetween(old.report, fresh.report),
  }
}

function rendered(comparisons: readonly Comparison[], format: Format): string {
  const [only, second] = comparisons
  const paint = paintFor(process.stdout)
  if (only === undefined) return ''
  if (second === undefined) return format === 'md' ? comparisonMarkdown(only) : comparisonText(only, paint)
  const rows = matrixOf([only.old.report, ...comparisons.map(({ fresh }) => fresh.report)])
  return format === 'md' ? matrixMarkdown(rows, comparisons) : matrixText(rows, comparisons, paint)
}
