import { paintFor, plain } from '../../reports/paint.ts'
import { UsageError } from '../command-error.ts'
import { fleetSchemaName } from '../fleet-document.ts'
import { readTextFile } from '../read-file.ts'
import { readReport } from '../report/read-report.ts'
import { writeTextFile } from '../write-file.ts'
import { compareVersions, exitCodeOf } from './comparison.ts'
import { compareFleets } from './fleets.ts'
import type { Format, Rendering } from './format.ts'
import { matrixOf } from './matrix.ts'
import { page } from './render-html.ts'
import { markdown } from './render-markdown.ts'
import { terminal } from './render-text.ts'

/** What the command line of `compare` holds. */
export interface CompareFlags {
  readonly format: Format
  /** Without it the comparison goes to stdout. */
  readonly out?: string
}

/**
 * Compares each further report with the first, or two fleets, prints or writes what differs and returns
 * the exit code.
 *
 * @throws {UsageError} when a file is neither a report nor a `fleet.json`
 */
export function compareFiles(paths: readonly string[], { format, out }: CompareFlags): number {
  const renderings: Readonly<Record<Format, Rendering>> = {
    text: terminal(out === undefined ? paintFor(process.stdout) : plain),
    md: markdown,
    html: page,
  }
  const { text, exitCode } = compared(paths, renderings[format])
  if (out === undefined) process.stdout.write(text)
  else writeTextFile(out, text)
  return exitCode
}

interface Compared {
  readonly text: string
  readonly exitCode: number
}

function compared(paths: readonly string[], rendering: Rendering): Compared {
  if (!paths.some(isFleet)) return comparedReports(paths, rendering)
  const [old, fresh, ...others] = paths
  if (paths.every(isFleet) && old !== undefined && fresh !== undefined && others.length === 0) {
    const fleets = compareFleets(old, fresh)
    return { text: rendering.fleets(fleets), exitCode: fleets.exitCode }
  }
  throw new UsageError('Two `fleet.json`, or reports alone, can be compared.', 'Give the files of two fleets.')
}

function comparedReports(paths: readonly string[], rendering: Rendering): Compared {
  const versions = paths.map((name) => ({ name, report: readReport(name) }))
  const [first, ...further] = versions
  const comparisons = first === undefined ? [] : further.map((fresh) => compareVersions(first, fresh))
  const [only, ...others] = comparisons
  const text =
    only !== undefined && others.length === 0
      ? rendering.comparison(only)
      : rendering.matrix(matrixOf(versions.map(({ report }) => report)), comparisons)
  return { text, exitCode: exitCodeOf(comparisons.flatMap(({ changes }) => changes)) }
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
