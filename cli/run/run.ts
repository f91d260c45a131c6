import { buildReport } from '../../reports/document.ts'
import { paintFor } from '../../reports/paint.ts'
import type { Report } from '../../reports/report.ts'
import { renderEnd } from '../../reports/terminal.ts'
import { writeReports } from '../../reports/write.ts'
import { pluginChecks, pluginObservations } from '../../suites/checks/plugin/all.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import { openGate, printEnd } from '../baseline/gate.ts'
import { verdictAtGate } from '../baseline/judge-gate.ts'
import { exitCode } from '../exit-code.ts'
import type { RunOptions } from '../options/run-options.ts'
import { carryOut } from '../target/carry-out.ts'
import { codeOfTarget } from '../target/exit.ts'
import { driftCounts, openComparison } from './drift.ts'
import { record } from './record.ts'

const cases = [...pluginChecks, ...pluginObservations]

/** Judges a server, writes the reports and returns the exit code. */
export async function run(options: RunOptions, signal: AbortSignal): Promise<number> {
  const gate = await openGate(options.baseline)
  const compare = await openComparison(options.profile)
  const visited = await carryOut({ options, cases, verb: 'Judging', signal })
  if (visited === null) return exitCode.conformant
  const report = compare(gate(buildReport(record(visited))))
  return await present(report, visited.options, visited.result.outcomes)
}

async function present(report: Report, options: RunOptions, outcomes: readonly Outcome[]): Promise<number> {
  const paths = await writeReports(report, options.out)
  printEnd(report, `${renderEnd(report, paintFor(process.stdout))}\nReport: ${paths.html}\n`, paths.summary)
  return exitCodeOf(report, outcomes)
}

/** The exit code that a report stands for. */
export function exitCodeOf(report: Report, outcomes: readonly Outcome[]): number {
  const ofTarget = codeOfTarget(report.harm, outcomes)
  if (ofTarget !== null) return ofTarget
  const codes = {
    conformant: exitCode.conformant,
    'non-conformant': exitCode.nonConformant,
    incomplete: exitCode.incomplete,
  }
  return driftCounts(report) ? exitCode.nonConformant : codes[verdictAtGate(report)]
}
