import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { failedChecks, failures } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import { otherFailures } from '../../reports/verdict.ts'
import { visibleLine } from '../../reports/visible.ts'
import { countingFailures } from './diff.ts'

/** GitHub drops a step summary that is longer than this. */
const longestSummaryBytes = 1024 * 1024

export function onGithub(env: NodeJS.ProcessEnv): boolean {
  return env.GITHUB_ACTIONS === 'true'
}

export function printVerdict(text: string, stream: NodeJS.WriteStream): void {
  stream.write(onGithub(process.env) ? inertText(text) : text)
}

/** Prints the result of a run to `stream`; in a GitHub job also annotations, the job summary and step outputs. */
export function printEnd(
  report: Report,
  text: string,
  paths: Record<'html' | 'summary', string>,
  stream: NodeJS.WriteStream,
): void {
  printVerdict(text, stream)
  if (!onGithub(process.env)) return
  stream.write(annotations(report))
  addToJobSummary(readFileSync(paths.summary, 'utf8'), process.env)
  addOutputs(report, paths.html, process.env)
}

/** Wraps text for the log of a GitHub job, since quoted responses can contain commands like `::add-mask::`. */
export function inertText(text: string): string {
  const token = randomUUID()
  return `::stop-commands::${token}\n${text}${text.endsWith('\n') ? '' : '\n'}::${token}::\n`
}

/** Errors for what fails the run, warnings for other failures, notices for known ones. GitHub shows ten of each. */
export function annotations(report: Report): string {
  const pairs = report.requirements.flatMap(({ id, checks }) => checks.map((check) => [check.id, id] as const))
  const requirementOf = new Map(pairs)
  const title = (check: string) => [check, requirementOf.get(check)].filter((part) => part !== undefined).join(' ')
  const counting = countingFailures(report).map(({ id, message }) => ({ kind: 'failed', check: id, message }))
  const gate = report.gate ?? { findings: counting, excused: [] }
  const line = (kind: CommandKind, about: string, message: string | null) =>
    `${workflowCommand(kind, about, visibleLine(message ?? ''))}\n`
  const lines = [
    ...gate.findings.map(({ kind, check, message }) => line('error', `${title(check)} (${kind})`, message)),
    ...failures(report).findings.flatMap((requirement) =>
      failedChecks(requirement).map(({ id, message }) =>
        line('warning', `${title(id)} (${requirement.level})`, message),
      ),
    ),
    ...otherFailures(report)
      // The deviations from the baseline are above.
      .filter(({ about }) => about !== 'baseline')
      .map(({ about, message }) => line(about === 'incomplete' ? 'warning' : 'error', about, message)),
    ...gate.excused.map(({ check, reason }) => line('notice', `${title(check)} (known failure)`, reason)),
  ]
  return lines.join('')
}

type CommandKind = 'error' | 'warning' | 'notice'

/** A workflow command, escaped like GitHub's toolkit does it. */
export function workflowCommand(kind: CommandKind, title: string, message: string): string {
  const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${kind} title=${property(title)}::${data(message)}`
}

export function addToJobSummary(markdown: string, env: NodeJS.ProcessEnv): void {
  append(env.GITHUB_STEP_SUMMARY, fitting(markdown))
}

export function addOutputs({ verdict }: Pick<Report, 'verdict'>, page: string, env: NodeJS.ProcessEnv): void {
  // A random delimiter, so that a path cannot inject another output.
  const token = randomUUID()
  append(env.GITHUB_OUTPUT, `verdict=${verdict}\nreport<<${token}\n${page}\n${token}\n`)
}

/** A file that cannot be written must not fail a run. */
function append(path: string | undefined, text: string): void {
  if (!path) return
  try {
    appendFileSync(path, text)
  } catch (error) {
    process.stderr.write(`The result could not be written for the job: ${(error as Error).message}\n`)
  }
}

function fitting(markdown: string): string {
  if (Buffer.byteLength(markdown) < longestSummaryBytes) return markdown
  const end = markdown.search(/^## /m)
  return `${markdown.slice(0, end === -1 ? 0 : end)}The whole summary is too long for GitHub: see summary.md.\n`
}
