import { type Level, levels } from '../spec/requirement.ts'
import type { Paint } from './paint.ts'
import type {
  AccountsRecord,
  Connection,
  Diagnosis,
  DriftRecord,
  GateRecord,
  Harm,
  KnownFailureRecord,
  Report,
  ReportedCheck,
  ReportedObservation,
  ReportedRequirement,
  RequirementStatus,
} from './report.ts'

type Look = readonly [label: string, sign: string, colour: Parameters<Paint>[0]]

/** The label of each status, a sign next to it, so that a status does not depend on colour, and its colour. */
const looks: Readonly<Record<RequirementStatus, Look>> = {
  failed: ['failed', '✕', 'red'],
  error: ['internal error', '!', 'red'],
  blocked: ['blocked', '■', 'yellow'],
  'partly-judged': ['partly judged', '◐', 'cyan'],
  passed: ['passed', '✓', 'green'],
  'out-of-scope': ['out of scope', '–', 'dim'],
  'not-applicable': ['not applicable', '·', 'dim'],
}

/** All statuses. Those that need attention come first. */
export const statuses = Object.keys(looks) as readonly RequirementStatus[]

const allAt = <Place extends 0 | 1 | 2>(place: Place) =>
  Object.fromEntries(statuses.map((status) => [status, looks[status][place]])) as Record<RequirementStatus, Look[Place]>
export const statusLabels = allAt(0)
export const statusSigns = allAt(1)
export const statusColours = allAt(2)

export const signsLegend = statuses.map((status) => `${statusSigns[status]} ${statusLabels[status]}`).join(', ')

/** `1 rule`, `2 rules`. */
export function plural(count: number, singular: string, several = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : several}`
}

/** `850 ms`, `12.4 s`, `3 min 5 s`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** `20 s`, `3 min`: rounded, since it is only an estimate. */
export function formatEstimate(durationMs: number): string {
  return durationMs < 90_000 ? `${Math.ceil(durationMs / 10_000) * 10} s` : `${Math.round(durationMs / 60_000)} min`
}

/** Warnings and notes about the connections to the targets, one line each. */
export function connectionLines({ target, platform }: Pick<Report, 'target' | 'platform'>): readonly string[] {
  return [...(platform?.alone ? [] : linesFor('target', target)), ...(platform ? linesFor('platform', platform) : [])]
}

function linesFor(name: string, { connection }: { readonly connection?: Connection }): readonly string[] {
  return [
    ...(connection?.insecure ? [`insecure: the certificate of the ${name} was not verified (--insecure)`] : []),
    ...(connection?.proxy ? [`${name} reached through the proxy ${connection.proxy}`] : []),
  ]
}

/** A line that says how many of the known faults the scope of a run can notice; none if that is unknown. */
export function knownFaultsLines({ scope: { knownFaults } }: Pick<Report, 'scope'>): readonly string[] {
  if (knownFaults === undefined) return []
  return [`The checks of this run can notice ${knownFaults.noticeable} of ${knownFaults.total} known faults.`]
}

export function comparisonLines({ gate, drift, scope }: Pick<Report, 'gate' | 'drift' | 'scope'>): readonly string[] {
  return [...(gate ? [gateLine(gate)] : []), ...(drift ? [driftLine(drift, scope.strict)] : [])]
}

/** The confirmed and the possible faults. */
export function reenactedFaults({ diagnosis }: Pick<Report, 'diagnosis'>): readonly Diagnosis[] {
  return diagnosis.filter(({ reenacted }) => reenacted)
}

/** What is known about the faults behind the failures; null if nothing failed. */
function diagnosisHeadline(report: Pick<Report, 'diagnosis' | 'requirements'>): string | null {
  if (report.requirements.every(({ status }) => status !== 'failed')) return null
  const faults = reenactedFaults(report)
  const [first] = faults
  if (first === undefined) return 'No fault is confirmed.'
  const { unexplained, besides, passing } = first
  const confirmed = faults.filter((fault) => fault.confirmed).length
  const also = besides.length === 0 ? '' : ` The simulator also fails ${idList(besides)}.`
  if (unexplained.length > 0) {
    const possible = faults.length === confirmed ? '' : `, ${faults.length - confirmed} possible`
    const left = `${plural(unexplained.length, 'failure')} unexplained (${idList(unexplained)})`
    return `${plural(confirmed, 'fault')} confirmed${possible}, ${left}.${also}`
  }
  const explained = new Set(faults.flatMap(({ explains }) => explains)).size
  const these = faults.length === 1 ? 'this fault' : `these ${faults.length} faults`
  const failing = explained === 1 ? 'the same check' : `the same ${explained} checks`
  // If the time ran out, the passed checks were not re-enacted.
  const others = passing === 0 ? '' : ` and passes ${plural(passing, 'other')}`
  const known = confirmed === 0 ? 'Possible' : 'Confirmed'
  return `${known}: a simulator with ${these} fails ${failing} in the same way${others}.${also}`
}

/** The headline, and a line for each fault; ids are between backticks. */
export function diagnosisLines(report: Pick<Report, 'diagnosis' | 'requirements'>): readonly string[] {
  const headline = diagnosisHeadline(report)
  if (headline === null) return []
  const saysConfirmed = report.diagnosis.some(({ confirmed }) => confirmed)
  return [headline, ...report.diagnosis.map((fault) => faultLine(fault, saysConfirmed))]
}

/** Below a headline that says "confirmed", a possible fault says what it is. */
function faultLine(fault: Diagnosis, saysConfirmed: boolean): string {
  const { defects, summaries, alternatives, explains, reenacted, confirmed } = fault
  const ids = [...defects, ...alternatives].map((id) => `\`${id}\``).join(' or ')
  const summary = summaries.map((text) => text.replace(/\.$/, '')).join(' + ')
  if (confirmed || (reenacted && !saysConfirmed)) return `${summary} (${ids}): ${idList(explains)}`
  const inside = summary.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())
  if (reenacted) return `Possible: ${inside} (${ids}): ${idList(explains)}`
  return `Nearest: ${inside} (${ids}), which also fails ${idList(explains)}`
}

const idList = (ids: readonly string[]) => firstOf(ids, 6)

/** `a, b, c and 2 more`. */
export function firstOf(texts: readonly string[], most: number): string {
  const shown = texts.slice(0, most).join(', ')
  return texts.length > most ? `${shown} and ${texts.length - most} more` : shown
}

/** What the run changed in the list of rules: one sentence without a full stop. */
export function listChangesLine(harm: Harm | null): string {
  if (harm === null) return 'the list of rules could not be read, so it is unknown whether it changed'
  if (harm.unreachable || harm.rulesAfter === null) {
    const what = harm.unreachable ? 'the target did not respond' : 'the list could not be verified'
    const end = `${what} at the end of the run`
    return harm.restored ? `${end}; nothing was written` : `${end}, so it is unknown whether the list was restored`
  }
  const edited = ' by the kit; there were concurrent edits of the list during the run'
  const unchanged = `0 of ${plural(harm.rulesBefore, 'rule')} changed${harm.interference.length > 0 ? edited : ''}`
  if (harm.restored) return unchanged
  return `the list was NOT restored: ${plural(harm.rulesBefore, 'rule')} before, ${harm.rulesAfter} after`
}

/** What the run changed in rules and accounts: one sentence without a full stop. */
export function changesLine({ harm, platform }: Pick<Report, 'harm' | 'platform'>): string {
  const rules = platform?.alone ? [] : [listChangesLine(harm)]
  if (platform?.kind !== 'url') return rules.join('; ')
  const created = platform.accounts
  return [...rules, created === null ? 'accounts were created and not counted' : accountsLine(created)].join('; ')
}

/** What the run created on a platform: one sentence without a full stop. */
export function accountsLine({ group, created, uncertain }: AccountsRecord): string {
  if (created.length + uncertain.length === 0) return 'no demo account created'
  const named = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
  const parts = [
    ...(created.length === 0 ? [] : [`${plural(created.length, 'demo account')} created: ${named(created)}`]),
    ...(uncertain.length === 0 ? [] : [`${uncertain.length} may have been created: ${named(uncertain)}`]),
  ]
  return `${parts.join(' and ')} in the group ${group}; they cannot be removed through this API`
}

/** The comparison with the baseline: one sentence without a full stop. */
export function gateLine({ baseline, findings, excused }: GateRecord): string {
  const known = `${plural(excused.length, 'known failure')} (${baseline})`
  if (findings.length === 0) return `${known}, no deviation`
  const kinds = [...new Set(findings.map(({ kind }) => kind))].map((kind) => {
    return `${findings.filter((one) => one.kind === kind).length} ${kind}`
  })
  return `${known}, ${plural(findings.length, 'deviation')}: ${kinds.join(', ')}`
}

/** The comparison with a profile: one sentence without a full stop. */
export function driftLine({ profile, agreeing, unanswered, findings }: DriftRecord, strict: boolean): string {
  const asked = agreeing + findings.length
  const drift = `${findings.length} of ${plural(asked, 'answer')} drifted from the profile (${profile})`
  const counts = findings.length > 0 && strict ? ', which counts with --strict' : ''
  return `${drift}${counts}${unanswered.length > 0 ? `; ${unanswered.length} more could not be compared` : ''}`
}

/** The answers of the profile and of the run that differ. */
export function driftedAnswers({ expected, answer }: DriftRecord['findings'][number]): string {
  return `profile: ${expected}, observed: ${answer ?? 'none of the known answers'}`
}

/** One of the lines above as a sentence on its own. */
export function asSentence(line: string): string {
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`
}

/** Owner and last day of a known failure; empty if neither is given. */
export function termsLabel({ owner, expires }: KnownFailureRecord): string {
  return [owner, expires && `until ${expires}`].filter((part) => part !== null).join(', ')
}

/** Whether a failure at this level decides the verdict; others are findings. */
export function levelCounts(level: Level, strict: boolean): boolean {
  return strict || level === 'required'
}

/** Failed requirements by level: those that decide the verdict, and findings. */
export function failures({ requirements, scope }: Report) {
  const failed = requirements.filter(({ status }) => status === 'failed')
  const all = levels.flatMap((level) => failed.filter((requirement) => requirement.level === level))
  const counts = ({ level }: ReportedRequirement) => levelCounts(level, scope.strict)
  return { all, counting: all.filter(counts), findings: all.filter((requirement) => !counts(requirement)) }
}

export function failedChecks({ checks }: Pick<ReportedRequirement, 'checks'>): readonly ReportedCheck[] {
  return checks.filter(({ status }) => status === 'failed')
}

const inNumericOrder = new Intl.Collator('en', { numeric: true })

/** Groups items by clause, in the order of the specification: 4.2 before 4.10. */
export function groupByClause<Item extends { readonly clause: string }>(items: readonly Item[]) {
  const clauses = [...new Set(items.map((item) => item.clause))].sort(inNumericOrder.compare)
  return clauses.map((clause) => ({ clause, items: items.filter((item) => item.clause === clause) }))
}

export function differs(observation: ReportedObservation): boolean {
  return observation.status === 'passed' && observation.answer !== observation.default
}

export function answerLabel(observation: ReportedObservation): string {
  if (observation.answer !== null) return observation.answer
  return observation.status === 'passed'
    ? 'none of the known answers'
    : `not observed (${statusLabels[observation.status]})`
}

export function countStatus(report: Report, status: RequirementStatus): number {
  return levels.reduce((sum, level) => sum + report.summary[level][status], 0)
}
