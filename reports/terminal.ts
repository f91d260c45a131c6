import { levels } from '../spec/requirement.ts'
import type { Paint } from './paint.ts'
import {
  changesLine,
  comparisonLines,
  connectionLines,
  diagnosisLines,
  failedChecks,
  failures,
  knownFaultsLines,
  plural,
  statusColours,
  statuses,
  statusLabels,
} from './phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from './report.ts'
import { deviations, gaps } from './sections.ts'
import { rowText } from './tables-text.ts'
import { visible, visibleLine } from './visible.ts'

const verdictColours = { conformant: 'green', partial: 'cyan', 'non-conformant': 'red', incomplete: 'yellow' } as const

/** Lines that fit on a screen, with room for the path of the report and the prompt. */
const screenHeight = 37
/** The number of lines of a list on one screen. */
const maxListed = 3

/** The result of a run on one screen: first as many failures as fit, last the verdict. */
export function renderEnd(report: Report, paint: Paint): string {
  const rest = renderRest(report, paint, maxListed)
  const room = screenHeight - rest.split('\n').length - 2
  return `${joined([renderFailures(report, paint, room), rest])}\n\n`
}

/** The same at full length, with every failure, its checks and the observations. */
export function renderWholeEnd(report: Report, paint: Paint): string {
  const counting = failures(report).counting.map((requirement) => renderFailure(requirement, report, paint))
  return `${joined([...counting, renderRest(report, paint, Number.POSITIVE_INFINITY)])}\n\n`
}

const joined = (blocks: readonly string[]) => blocks.filter((block) => block !== '').join('\n\n')

/** Everything except the failures that decide the verdict. */
function renderRest(report: Report, paint: Paint, most: number): string {
  const end = [
    ...connectionLines(report).map((line) => paint('yellow', visibleLine(line))),
    ...renderCounts(report, paint),
    ...comparisonLines(report).map(visibleLine),
    ...knownFaultsLines(report),
    ...renderChanges(report, paint),
    renderVerdict(report, paint),
  ]
  return joined([renderFindings(report, paint, most), ...renderSections(report, paint, most), end.join('\n')])
}

function renderFindings(report: Report, paint: Paint, most: number): string {
  const lines = failures(report).findings.map(({ id, clause, level, statement, checks }) => {
    const failed = checks.filter((check) => check.status === 'failed').map((check) => check.id)
    const head = `  ${paint('yellow', 'finding')} ${id} ${paint('dim', `clause ${clause}, ${level}, ${failed.join(', ')}`)}`
    return most === Infinity ? `${head}\n    ${statement}` : head
  })
  return list('Findings (these do not decide the verdict)', lines, paint, most)
}

/** What could not be judged, was out of scope or differs from what was expected, one line each. */
function renderSections(report: Report, paint: Paint, most: number): readonly string[] {
  // With a profile only the answers that differ from it matter.
  const shown = gaps(report).filter(({ id }) => id !== 'answers' || report.drift === null)
  const sections = [...shown, ...deviations(report).filter(({ count }) => count !== 0)]
  return sections.map(({ id, title, tables = [] }) => {
    const lines = tables.flatMap((table) => table.rows.map((row) => `  ${rowText(table, row, paint)}`))
    // A correct server may differ in every answer, so a long list is not worth its space.
    if (id !== 'answers' || lines.length <= most) return list(title, lines, paint, most)
    return `${paint('bold', `${lines.length} answers differ from the default of the simulator`)}: see the report`
  })
}

/** A title, the first lines and the number of further ones; empty without lines. */
function list(title: string, lines: readonly string[], paint: Paint, most: number): string {
  if (lines.length === 0) return ''
  const more = lines.length - most
  const rest = more > 0 ? [paint('dim', `  and ${more} more: see the report`)] : []
  return [paint('bold', title), ...lines.slice(0, most), ...rest].join('\n')
}

/** What is known about the faults. `cutShortMs` is the time limit if it ended the diagnosis. */
export function renderDiagnosis(report: Report, cutShortMs: number | null): string {
  const [headline, ...faults] = diagnosisLines(report).map(visibleLine)
  if (headline === undefined) return ''
  const seconds = Math.round((cutShortMs ?? 0) / 1_000)
  const hint = `The search ended after ${seconds} s before it was complete. \`--diagnose ${6 * seconds}\` gives it more time.`
  const lines = [headline, ...faults.map((line) => `  ${line}`), ...(cutShortMs === null ? [] : [hint])]
  return `${lines.join('\n')}\n\n`
}

/** The verdict, what else the exit code depends on, and the changes to the list. */
export function renderVerdictAlone(report: Report, paint: Paint): string {
  const others = [...comparisonLines(report).map(visibleLine), ...renderChanges(report, paint)]
  return `${[...others, renderVerdict(report, paint)].join('\n')}\n`
}

function renderCounts({ summary }: Report, paint: Paint): string[] {
  return levels.flatMap((level) => {
    const present = statuses.filter((status) => summary[level][status] > 0)
    if (present.length === 0) return []
    const total = present.reduce((sum, status) => sum + summary[level][status], 0)
    const counts = present.map((status) =>
      paint(statusColours[status], `${summary[level][status]} ${statusLabels[status]}`),
    )
    return [`${plural(total, `${level} requirement`)}: ${counts.join(', ')}`]
  })
}

function renderChanges({ harm }: Report, paint: Paint): string[] {
  return [
    ...(harm?.interference ?? []).map((line) => `  ${paint('yellow', `concurrent edit: ${visibleLine(line)}`)}`),
    ...(harm?.differences ?? []).map((line) => `  ${paint('red', visibleLine(line))}`),
  ]
}

function renderVerdict(report: Report, paint: Paint): string {
  const verdict = paint(verdictColours[report.verdict], report.verdict)
  const changes = changesLine(report)
  const isRestored = report.harm === null || report.harm.restored
  return `${verdict} ${visibleLine(report.explanation)} ${paint(isRestored ? 'dim' : 'red', `(${changes})`)}`
}

/** The failures that decide the verdict, without the known ones of a baseline, which do not decide the exit code. */
function newFailures(report: Report): readonly ReportedRequirement[] {
  const known = new Set(report.gate?.excused.map(({ check }) => check))
  return failures(report)
    .counting.map((requirement) => ({ ...requirement, checks: requirement.checks.filter(({ id }) => !known.has(id)) }))
    .filter((requirement) => failedChecks(requirement).length > 0)
}

/** The number of lines for one failed requirement. */
const failureHeight = 5

/** The failures that decide the verdict in at most `maxLines` lines. */
function renderFailures(report: Report, paint: Paint, maxLines: number): string {
  const counting = newFailures(report)
  const most = Math.max(1, Math.floor((maxLines - 1) / failureHeight))
  const left = counting.length - most
  const more = left > 0 ? [paint('dim', `and ${left} more failed: see the report, or add --verbose`)] : []
  return [...counting.slice(0, most).map((one) => renderFailure(one, report, paint, false)), ...more].join('\n')
}

/** One failed requirement: with everything needed to reproduce it, or only its first failure in a few lines. */
function renderFailure(requirement: ReportedRequirement, report: Report, paint: Paint, isWhole = true): string {
  const { id, clause, level, statement, consequence, checks } = requirement
  const failed = failedChecks(requirement).slice(0, isWhole ? checks.length : 1)
  const fitted = isWhole ? visible : shortened
  const labelled = (label: string, text: string | null) =>
    text === null ? [] : [withLabel(label, fitted(text), paint)]
  return [
    `${paint('red', 'FAILED')} ${paint('bold', id)} ${paint('dim', `clause ${clause}, ${level}`)}`,
    ...(isWhole ? [`  ${statement}`] : []),
    ...failed.flatMap((check) => [
      `  ${paint('bold', check.id)} ${shortened(check.title)}`,
      ...labelled('message', isWhole ? check.message : messageWithSides(check)),
      ...(isWhole
        ? [
            ...labelled('expected', check.expected),
            ...labelled('actual', check.actual),
            ...labelled('request', check.curl === null || stillRuns(check.curl, report) ? null : check.curl),
          ]
        : [withLabel('consequence', consequence, paint)]),
      withLabel('reproduce', visible(shortReproduction(check, report)), paint),
    ]),
    ...(isWhole ? [withLabel('consequence', consequence, paint)] : []),
  ].join('\n')
}

/** Many messages need both sides. A list does not fit into the line. */
function messageWithSides({ message, expected, actual }: ReportedCheck): string | null {
  const fits = message !== null && expected !== null && actual !== null && !`${expected}${actual}`.includes('\n')
  return fits ? `${message} Expected: ${expected}; actual: ${actual}.` : message
}

const longestLine = 160

function shortened(text: string): string {
  const line = visibleLine(text)
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line
}

/** One command: the request if it alone shows the failure, otherwise a run of the check, or of all checks. */
function shortReproduction({ id, curl, script }: ReportedCheck, report: Report): string {
  const isShort = curl !== null && !curl.includes('\n') && curl.length <= 2 * longestLine
  if (isShort && stillRuns(curl, report)) return curl
  const checks = script?.includes('with all checks') ? 'all checks and' : `--only ${id}`
  return `the same command with ${checks} --seed ${report.seed}`
}

/** Whether the server of a command still runs: one that the kit started has ended. */
function stillRuns(curl: string, { target, platform }: Report): boolean {
  return target.kind === 'url' || (platform?.kind === 'url' && curl.includes(platform.url))
}

function withLabel(label: string, text: string, paint: Paint): string {
  return `    ${paint('dim', label.padEnd(11))} ${text.replaceAll('\n', `\n${' '.repeat(16)}`)}`
}
