import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { failures } from '../../reports/phrases.ts'
import type { Report } from '../../reports/report.ts'
import { visibleLine } from '../../reports/visible.ts'
import { countingFailures } from './judge-gate.ts'

/** GitHub rejects a longer summary of a step as a whole. */
const longestSummaryBytes = 1024 * 1024

type Environment = Readonly<Record<string, string | undefined>>

/** Whether this process is a step of a GitHub job. */
export function onGithub(env: Environment): boolean {
  return env.GITHUB_ACTIONS === 'true'
}

/**
 * Text for the log of a GitHub job, in which no line is taken for a workflow command: it quotes
 * responses, which can contain `::add-mask::` or any other text.
 */
export function inertText(text: string): string {
  const token = randomUUID()
  return `::stop-commands::${token}\n${text}${text.endsWith('\n') ? '' : '\n'}::${token}::\n`
}

/**
 * An error for everything that makes the run red, a warning for each failure that does not decide the verdict and for
 * an incomplete run, a notice for each known failure. GitHub shows ten of each kind.
 */
export function annotations(report: Report): string {
  const requirementOf = new Map(
    report.requirements.flatMap(({ id, checks }) => checks.map((check) => [check.id, id] as const)),
  )
  const title = (check: string) => [check, requirementOf.get(check)].filter((part) => part !== undefined).join(' ')
  const counting = countingFailures(report).map(({ id, message }) => ({ check: id, message: message ?? '' }))
  const gate = report.gate ?? { findings: counting.map((one) => ({ ...one, kind: 'failed' })), excused: [] }
  const lines = [
    ...gate.findings.map(({ kind, check, message }) =>
      workflowCommand('error', `${title(check)} (${kind})`, visibleLine(message)),
    ),
    ...failures(report).findings.flatMap(({ level, checks }) =>
      checks
        .filter(({ status }) => status === 'failed')
        .map(({ id, message }) => workflowCommand('warning', `${title(id)} (${level})`, visibleLine(message ?? ''))),
    ),
    ...(report.verdict === 'incomplete'
      ? [workflowCommand('warning', 'incomplete', visibleLine(report.explanation))]
      : []),
    ...gate.excused.map(({ check, reason }) =>
      workflowCommand('notice', `${title(check)} (known failure)`, visibleLine(reason)),
    ),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** One workflow command, its parts escaped as GitHub's toolkit does. */
export function workflowCommand(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  const data = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${kind} title=${property(title)}::${data(message)}`
}

/**
 * Adds Markdown to the summary of the job. Returns why it could not be done, or null: a summary that
 * is missing must not turn a run red.
 */
export function addToJobSummary(markdown: string, env: Environment): string | null {
  return append(env.GITHUB_STEP_SUMMARY, fitting(markdown))
}

/** Gives the step the outputs `verdict` and `report`, the path of the page. Returns why it could not be done, or null. */
export function addOutputs({ verdict }: Pick<Report, 'verdict'>, page: string, env: Environment): string | null {
  // No path contains the token, so that none can set another output.
  const token = randomUUID()
  return append(env.GITHUB_OUTPUT, `verdict=${verdict}\nreport<<${token}\n${page}\n${token}\n`)
}

function append(path: string | undefined, text: string): string | null {
  if (path === undefined || path === '') return null
  try {
    appendFileSync(path, text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function fitting(markdown: string): string {
  if (Buffer.byteLength(markdown) < longestSummaryBytes) return markdown
  const end = markdown.search(/^## /m)
  return `${markdown.slice(0, end === -1 ? 0 : end)}The whole summary is too long for GitHub: see summary.md.\n`
}
