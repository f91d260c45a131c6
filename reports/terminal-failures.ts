import type { Paint } from './paint.ts'
import { failures } from './phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { shortList } from './terminal-lists.ts'
import { visible, visibleLine } from './visible.ts'

/** Failed requirements with one fault, or one failed requirement alone. */
interface FailureGroup {
  readonly first: ReportedRequirement
  readonly others: readonly ReportedRequirement[]
}

/** The lines of a group, but for the one that names the other requirements. */
const groupHeight = 5

/**
 * The failures that decide the verdict, in so many lines: those of the diagnosed fault as one, then one by one as the
 * report has them. Each has its consequence and how to reproduce it.
 */
export function renderFailureGroups(report: Report, paint: Paint, mostLines: number): string {
  const groups = groupsOf(failures(report).counting)
  const most = Math.max(1, Math.floor((mostLines - 1) / groupHeight))
  const left = groups.slice(most).reduce((sum, { others }) => sum + 1 + others.length, 0)
  const more = left > 0 ? [paint('dim', `and ${left} more failed: see the report, or add --verbose`)] : []
  return [...groups.slice(0, most).map((group) => renderGroup(group, report, paint)), ...more].join('\n')
}

function groupsOf(counting: readonly ReportedRequirement[]): readonly FailureGroup[] {
  const isExplained = ({ checks }: ReportedRequirement) => checks.some(({ explainedBy }) => explainedBy !== undefined)
  const [first, ...others] = counting.filter(isExplained)
  const alone = counting.filter((one) => !isExplained(one)).map((one) => ({ first: one, others: [] }))
  return first === undefined ? alone : [{ first, others }, ...alone]
}

function renderGroup({ first, others }: FailureGroup, report: Report, paint: Paint): string {
  const { id, clause, level, consequence } = first
  const failed = first.checks.filter(({ status }) => status === 'failed')
  const check = failed.find(({ explainedBy }) => explainedBy !== undefined) ?? failed[0]
  const same = others.length > 0 ? ` and ${others.length} more by the fault below` : ''
  return [
    `${paint('red', 'FAILED')} ${paint('bold', id)}${same} ${paint('dim', `clause ${clause}, ${level}`)}`,
    ...(check === undefined
      ? []
      : [
          `  ${paint('bold', check.id)} ${shortened(check.title)}`,
          labelled('message', shortened(check.message ?? ''), paint),
        ]),
    labelled('consequence', consequence, paint),
    ...(others.length > 0 ? [labelled('also failed', shortList(others.map((one) => one.id)), paint)] : []),
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

/** One failed requirement with everything that is needed to reproduce it. */
export function renderFailure(requirement: ReportedRequirement, paint: Paint): string {
  const { id, clause, level, statement, consequence, checks } = requirement
  return [
    `${paint('red', 'FAILED')} ${paint('bold', id)} ${paint('dim', `clause ${clause}, ${level}`)}`,
    `  ${statement}`,
    ...checks.filter((check) => check.status === 'failed').flatMap((check) => failedCheck(check, paint)),
    labelled('consequence', consequence, paint),
  ].join('\n')
}

function failedCheck(check: ReportedCheck, paint: Paint): string[] {
  const optional = (label: string, text: string | null) => (text === null ? [] : [labelled(label, text, paint)])
  return [
    `  ${paint('bold', check.id)} ${visibleLine(check.title)}`,
    ...optional('message', check.message),
    ...optional('expected', check.expected),
    ...optional('actual', check.actual),
    ...optional('reproduce', check.curl && shortScript(check.curl)),
  ]
}

/** The report has a long script as a whole. */
function shortScript(script: string): string {
  const lines = script.split('\n')
  const [first, last] = [lines[0], lines.at(-1)]
  return lines.length <= mostScriptLines
    ? script
    : [first, `# … ${lines.length - 2} more lines, see the report`, last].join('\n')
}

const mostScriptLines = 6

/** A label and a text, whose lines are aligned. */
function labelled(label: string, text: string, paint: Paint): string {
  const [first = '', ...rest] = visible(text).split('\n')
  return [`    ${paint('dim', label.padEnd(11))} ${first}`, ...rest.map((line) => `${' '.repeat(16)}${line}`)].join(
    '\n',
  )
}
