import { readFileSync } from 'node:fs'
import type { Report } from '../../reports/report.ts'
import { platformChecks } from '../../suites/checks/platform/all.ts'
import { pluginChecks } from '../../suites/checks/plugin/all.ts'
import { addOutputs, addToJobSummary, annotations, inertText, onGithub } from './github.ts'
import { judgeGate } from './judge-gate.ts'

/** Adds the result of the comparison with a baseline of known failures to a report. */
export type Gate = (report: Report) => Report

/** Reads the baseline before anything is sent. Without one, reports are not changed. @throws {UsageError} */
export async function openGate(path: string | null): Promise<Gate> {
  if (path === null) return (report) => report
  const { readBaseline } = await import('./baseline-file.ts')
  const knownChecks = [...pluginChecks, ...platformChecks].map(({ id }) => id)
  const baseline = readBaseline(path)
  return (report) => {
    const today = new Date().toISOString().slice(0, 10)
    return { ...report, gate: { baseline: path, ...judgeGate({ report, baseline, today, knownChecks }) } }
  }
}

interface Paths {
  readonly html: string
  readonly summary: string
}

export function printVerdict(text: string, stream: NodeJS.WriteStream): void {
  stream.write(onGithub(process.env) ? inertText(text) : text)
}

/** Prints the result of a run to `stream`; in a GitHub job also annotations, the job summary and step outputs. */
export function printEnd(report: Report, text: string, paths: Paths, stream: NodeJS.WriteStream): void {
  if (!onGithub(process.env)) {
    stream.write(text)
    return
  }
  stream.write(`${inertText(text)}${annotations(report)}`)
  addToJobSummary(readFileSync(paths.summary, 'utf8'), process.env)
  addOutputs(report, paths.html, process.env)
}
