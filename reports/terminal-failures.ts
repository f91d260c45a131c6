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
  return [...counting.slice(0, most).map((one) => renderShortly(one, report, paint)), ...more].join('\n')
}

function renderShortly({ id, clause, level, consequence, checks }: ReportedRequirement, report: Report, paint: Paint) {
  const check = checks.find(({ status }) => status === 'failed')
  return [
    `${paint('red', 'FAILED')} ${paint('bold', id)} ${paint('dim', `clause ${clause}, ${level}`)}`,
    ...(check === undefined
      ? []
      : [
          `  ${paint('bold', check.id)} ${shortened(check.title)}`,
          labelled('message', shortened(check.message ?? ''), paint),
        ]),
    labelled('consequence', consequence, paint),
    ...(check === undefined ? [] : [labelled('reproduce', shortReproduction(check, report), paint)]),
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

/** One failed requirement with everything needed to reproduce it. */
export function renderFailure(requirement: ReportedRequirement, report: Report, paint: Paint): string {
  const { id, clause, level, statement, consequence, checks } = requirement
  return [
    `${paint('red', 'FAILED')} ${paint('bold', id)} ${paint('dim', `clause ${clause}, ${level}`)}`,
    `  ${statement}`,
    ...checks.filter((check) => check.status === 'failed').flatMap((check) => failedCheck(check, report, paint)),
    labelled('consequence', consequence, paint),
  ].join('\n')
}

function failedCheck(check: ReportedCheck, report: Report, paint: Paint): string[] {
  const optional = (label: string, text: string | null) => (text === null ? [] : [labelled(label, text, paint)])
  return [
    `  ${paint('bold', check.id)} ${visibleLine(check.title)}`,
    ...optional('message', check.message),
    ...optional('expected', check.expected),
    ...optional('actual', check.actual),
    labelled('reproduce', shortReproduction(check, report), paint),
  ]
}

/** A label and a text, whose lines are aligned. */
function labelled(label: string, text: string, paint: Paint): string {
  const [first = '', ...rest] = visible(text).split('\n')
  return [`    ${paint('dim', label.padEnd(11))} ${first}`, ...rest.map((line) => `${' '.repeat(16)}${line}`)].join(
    '\n',
  )
}
