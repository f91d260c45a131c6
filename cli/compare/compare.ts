import { pageHtml } from '../../reports/html/page.tsx'
import { paintFor, plain } from '../../reports/paint.ts'
import { pageMarkdown } from '../../reports/tables-markdown.ts'
import { pageText } from '../../reports/tables-text.ts'
import { UsageError } from '../command-error.ts'
import { readTextFile, writeTextFile } from '../files.ts'
import { fleetSchemaName } from '../fleet-document.ts'
import { readReport } from '../report/read-report.ts'
import type { CompareFlags } from './command.ts'
import { compareFleets, compareMany, compareTwo } from './comparison.ts'

/**
 * Compares each further report with the first, or two fleets. Prints or writes the differences and returns the exit
 * code.
 *
 * @throws {UsageError} when a file is neither a report nor a `fleet.json`
 */
export function compareFiles(paths: readonly [string, ...string[]], { format, out }: CompareFlags): number {
  const { page, exitCode } = compared(paths)
  const paint = out === undefined ? paintFor(process.stdout) : plain
  const text = { text: () => pageText(page, paint), md: () => pageMarkdown(page), html: () => pageHtml(page) }[format]()
  if (out === undefined) process.stdout.write(text)
  else writeTextFile(out, text)
  return exitCode
}

function compared([old, ...further]: readonly [string, ...string[]]) {
  const [fresh, ...others] = further
  const fleets = [old, ...further].filter(isFleet)
  if (fleets.length > 0) {
    if (fresh !== undefined && others.length === 0 && fleets.length === 2) return compareFleets(old, fresh)
    throw new UsageError('Two `fleet.json`, or reports alone, can be compared.', 'Give the files of two fleets.')
  }
  const versionOf = (name: string) => ({ name, report: readReport(name) })
  if (fresh !== undefined && others.length === 0) return compareTwo(versionOf(old), versionOf(fresh))
  return compareMany([versionOf(old), ...further.map(versionOf)])
}

function isFleet(path: string): boolean {
  const text = readTextFile(path, { name: path, hint: 'Give the `report.json` of a run, or a `fleet.json`.' })
  try {
    return (JSON.parse(text) as { readonly schema?: unknown } | null)?.schema === fleetSchemaName
  } catch {
    // `readReport` reports what is wrong with the file.
    return false
  }
}
