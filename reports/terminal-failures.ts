import type { Paint } from './paint.ts'
import { failures } from './phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { visible, visibleLine } from './visible.ts'

/** The number of lines for one failed requirement. */
const failureHeight = 5

/**
 * Renders the failures that decide the verdict in at most `maxLines` lines, each with its consequence and how to
 * reproduce it.
 */
export function renderFailures(report: Report, paint: Paint, maxLines: number): string {
  const { counting } = failures(report)
  const most = Math.max(1, Math.floor((maxLines - 1) / failureHeight))
  const left = counting.length - most
  const more = left > 0 ? [paint('dim', `and ${left} more failed: see the report, or add --verbose`)] : []
  return [...counting.slice(0, most).map((one) => renderFailure(one, report, paint, false)), ...more].join('\n')
}

/** One failed requirement: with everything needed to reproduce it, or only its first failure in a few lines. */
export function renderFailure(requirement: ReportedRequirement, report: Report, paint: Paint, isWhole = true): string {
  const { id, clause, level, statement, consequence, checks } = requirement
  const failed = checks.filter((check) => check.status === 'failed')
  const fitted = isWhole ? visible : shortened
  const labelled = (label: string, text: string | null) =>
    text === null ? [] : [withLabel(label, fitted(text), paint)]
  return [
    `${paint('red', 'FAILED')} ${paint('bold', id)} ${paint('dim', `clause ${clause}, ${level}`)}`,
    ...(isWhole ? [`  ${statement}`] : []),
    ...failed
      .slice(0, isWhole ? failed.length : 1)
      .flatMap((check) => [
        `  ${paint('bold', check.id)} ${shortened(check.title)}`,
        ...labelled('message', check.message),
        ...(isWhole
          ? [...labelled('expected', check.expected), ...labelled('actual', check.actual)]
          : [withLabel('consequence', consequence, paint)]),
        withLabel('reproduce', visible(shortReproduction(check, report)), paint),
      ]),
    ...(isWhole ? [withLabel('consequence', consequence, paint)] : []),
  ].join('\n')
}

const longestLine = 160

function shortened(text: string): string {
  const line = visibleLine(text)
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line
}

/** One command: the request if it alone shows the failure, otherwise a run of the check. */
function shortReproduction({ id, curl }: ReportedCheck, { seed }: Report): string {
  const isAlone = curl !== null && !curl.includes('\n') && curl.length <= 2 * longestLine
  return isAlone ? curl : `the same command with --only ${id} --seed ${seed}`
}

/** A label and a text, whose lines are aligned. */
function withLabel(label: string, text: string, paint: Paint): string {
  const [first = '', ...rest] = text.split('\n')
  return [`    ${paint('dim', label.padEnd(11))} ${first}`, ...rest.map((line) => `${' '.repeat(16)}${line}`)].join(
    '\n',
  )
}
