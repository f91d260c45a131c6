import type { Paint } from './paint.ts'
import { answerLabel, differs, failures, plural, statusLabels } from './phrases.ts'
import type { Report } from './report.ts'
import { scopeGaps } from './verdict.ts'
import { visibleLine } from './visible.ts'

/** A title, the first lines and the number of further ones; empty without lines. */
function list(title: string, lines: readonly string[], paint: Paint, most: number): string {
  if (lines.length === 0) return ''
  const more = lines.length - most
  const rest = more > 0 ? [paint('dim', `  and ${more} more: see the report`)] : []
  return [paint('bold', title), ...lines.slice(0, most), ...rest].join('\n')
}

/** Failures that do not decide the verdict. */
export function renderFindings(report: Report, paint: Paint, most: number): string {
  const lines = failures(report).findings.map(({ id, clause, level, statement, checks }) => {
    const failed = checks.filter((check) => check.status === 'failed').map((check) => check.id)
    const head = `  ${paint('yellow', 'finding')} ${id} ${paint('dim', `clause ${clause}, ${level}, ${failed.join(', ')}`)}`
    return most === Infinity ? `${head}\n    ${statement}` : head
  })
  return list('Findings (these do not decide the verdict)', lines, paint, most)
}

/** Checks that could not be judged, grouped by their reason. */
export function renderUnjudged(report: Report, paint: Paint, most: number): string {
  const idsByReason = new Map<string, string[]>()
  const checks = report.requirements.flatMap((requirement) => requirement.checks)
  const observations = report.observations.map(({ check, status, message }) => ({ id: check, status, message }))
  for (const { id, status, message } of [...checks, ...observations]) {
    if (status !== 'error' && status !== 'blocked') continue
    const reason = `${statusLabels[status]}: ${visibleLine(message ?? 'no reason given')}`
    idsByReason.set(reason, [...(idsByReason.get(reason) ?? []), id])
  }
  const lines = Array.from(idsByReason, ([reason, ids]) => `  ${paint('yellow', shortList(ids))} ${reason}`)
  return list('Could not be judged', lines, paint, most)
}

/** Checks that were out of scope or not applicable, grouped by the reason, which says how to include them. */
export function renderScopeGaps(report: Report, paint: Paint, most: number): string {
  const lines = scopeGaps(report).map(({ reason, requirements, checks }) => {
    const count = paint('cyan', `${plural(checks.length, 'check')} of ${plural(requirements.length, 'requirement')}`)
    return `  ${count} ${visibleLine(reason)} ${paint('dim', `(${shortList(requirements)})`)}`
  })
  return list('Out of scope, or not applicable', lines, paint, most)
}

/** The first few of many ids. */
export function shortList(ids: readonly string[]): string {
  const shown = ids.slice(0, 4).join(', ')
  return ids.length > 4 ? `${shown} and ${ids.length - 4} more` : shown
}

/** Answers that differ from the defaults or, with a profile, from the profile. */
export function renderAnswers(report: Report, paint: Paint, most: number): string {
  if (report.drift) {
    const drifted = report.drift.findings.map(({ question, expected, answer, message }) => {
      const seen = visibleLine(answer ?? message ?? 'none of the known answers')
      return `  ${paint('yellow', 'drift')} ${question} ${paint('cyan', seen)} ${paint('dim', `(profile ${expected})`)}`
    })
    return list(`Drift from the profile ${visibleLine(report.drift.profile)}`, drifted, paint, most)
  }
  const lines = report.observations.filter(differs).map((observation) => {
    const answer = visibleLine(answerLabel(observation))
    return `  ${observation.question} ${paint('cyan', answer)} ${paint('dim', `(default ${observation.default})`)}`
  })
  const title = `${plural(lines.length, 'answer differs', 'answers differ')} from the default of the simulator`
  // A correct server may differ in every answer, so a long list is not worth its space.
  if (lines.length > most) return `${paint('bold', title)}: see the report`
  return list(title, lines, paint, most)
}

/** The deviations from the baseline. */
export function renderGate({ gate }: Report, paint: Paint, most: number): string {
  const lines = (gate?.findings ?? []).map(
    ({ kind, check, message }) => `  ${paint('red', kind)} ${visibleLine(check)} ${visibleLine(message)}`,
  )
  return list(`Deviations from the baseline ${visibleLine(gate?.baseline ?? '')}`, lines, paint, most)
}
