import { markdownText } from '../../reports/markdown.ts'
import { paintFor } from '../../reports/paint.ts'
import { plural } from '../../reports/phrases.ts'
import { visibleLine } from '../../reports/visible.ts'
import { UsageError } from '../command-error.ts'
import { fleetSchemaName } from '../fleet/document.ts'
import { readTextFile } from '../read-file.ts'
import { readReport } from '../report/read-report.ts'
import { type Comparison, compareVersions, exitCodeOf } from './comparison.ts'
import { compareFleets } from './fleets.ts'
import { matrixOf } from './matrix.ts'
import { comparisonMarkdown, matrixMarkdown } from './render-markdown.ts'
import { comparisonText, matrixText } from './render-text.ts'

/** How a comparison is printed. */
export type Format = 'text' | 'md'

/**
 * Compares each further report with the first, or two fleets, prints what differs and returns the
 * exit code.
 *
 * @throws {UsageError} when a file is neither a report nor a `fleet.json`
 */
export function compareFiles(paths: readonly [string, ...string[]], format: Format): number {
  if (paths.some(isFleet)) {
    const [old, fresh, ...others] = paths
    if (paths.every(isFleet) && fresh !== undefined && others.length === 0) return printFleets(old, fresh, format)
    throw new UsageError('Two `fleet.json`, or reports alone, can be compared.', 'Give the files of two fleets.')
  }
  const [first, ...further] = paths.map((name) => ({ name, report: readReport(name) }))
  const comparisons = first === undefined ? [] : further.map((fresh) => compareVersions(first, fresh))
  process.stdout.write(rendered(comparisons, format))
  return exitCodeOf(comparisons.flatMap(({ changes }) => changes))
}

function isFleet(path: string): boolean {
  const text = readTextFile(path, { name: path, hint: 'Give the `report.json` of a run, or a `fleet.json`.' })
  try {
    return (JSON.parse(text) as { readonly schema?: unknown } | null)?.schema === fleetSchemaName
  } catch {
    // `readReport` says what is wrong with it.
    return false
  }
}

function printFleets(old: string, fresh: string, format: Format): number {
  const show = (comparison: Comparison) => process.stdout.write(`${rendered([comparison], format)}\n`)
  const { notCompared, compared, counts, exitCode } = compareFleets(old, fresh, show)
  const lines = [...notCompared, `${plural(compared, 'install')} compared: ${counts}.`].map((line) =>
    format === 'md' ? `- ${markdownText(line)}` : visibleLine(line),
  )
  process.stdout.write(`${lines.join('\n')}\n`)
  return exitCode
}

function rendered(comparisons: readonly Comparison[], format: Format): string {
  const [only, second] = comparisons
  const paint = paintFor(process.stdout)
  if (only === undefined) return ''
  if (second === undefined) return format === 'md' ? comparisonMarkdown(only) : comparisonText(only, paint)
  const rows = matrixOf([only.old.report, ...comparisons.map(({ fresh }) => fresh.report)])
  return format === 'md' ? matrixMarkdown(rows, comparisons) : matrixText(rows, comparisons, paint)
}
