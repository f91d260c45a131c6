import { type Level, levels } from '../spec/requirement.ts'
import type { Status } from '../suites/runner/outcome.ts'
import type {
  AccountsRecord,
  Connection,
  DriftRecord,
  ExcusedFailure,
  GateRecord,
  Harm,
  Report,
  ReportedObservation,
  ReportedRequirement,
} from './report.ts'

/** Every status, the ones that ask for attention first. */
export const statuses: readonly Status[] = ['failed', 'error', 'blocked', 'passed', 'out-of-scope', 'not-applicable']

/** What a status is called in front of people. */
export const statusWords: Readonly<Record<Status, string>> = {
  failed: 'failed',
  error: 'error of the kit',
  blocked: 'blocked',
  passed: 'passed',
  'out-of-scope': 'out of scope',
  'not-applicable': 'not applicable',
}

/** `1 rule`, `2 rules`. */
export function plural(count: number, singular: string, several = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : several}`
}

/** `850 ms`, `12.4 s`, `3 min 5 s`. */
export function durationWords(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`
  const seconds = Math.round(durationMs / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** What must not be overlooked about the ways to what was judged, one line each. */
export function connectionLines({ target, platform }: Pick<Report, 'target' | 'platform'>): readonly string[] {
  return [
    ...(platform?.alone ? [] : linesAbout('target', target)),
    ...(platform ? linesAbout('platform', platform) : []),
  ]
}

function linesAbout(name: string, { connection }: { readonly connection?: Connection }): readonly string[] {
  return [
    ...(connection?.insecure ? [`insecure: the certificate of the ${name} was not checked (--insecure)`] : []),
    ...(connection?.proxy ? [`${name} reached through the proxy ${connection.proxy}`] : []),
  ]
}

/** What the run did to the list of rules, in one sentence without a full stop. */
export function harmLine(harm: Harm | null): string {
  if (harm === null) return 'no list of rules could be read, so whether it changed is not known'
  if (harm.unreachable) {
    const gone = 'the target was gone when the run ended'
    return harm.restored
      ? `${gone}; nothing had been written`
      : `${gone}, so whether its list is as it was found is not known`
  }
  if (harm.restored && harm.interference.length > 0) return interferedLine(harm)
  if (harm.restored) return `0 of ${plural(harm.rulesBefore, 'rule')} changed`
  return `the list was NOT left as it was found: ${plural(harm.rulesBefore, 'rule')} before, ${harm.rulesAfter} after`
}

/** What the run did to rules and accounts, in one sentence without a full stop. */
export function wholeHarmLine({ harm, platform }: Pick<Report, 'harm' | 'platform'>): string {
  const rules = platform?.alone ? [] : [harmLine(harm)]
  const accounts = platform?.accounts ? [accountsLine(platform.accounts)] : []
  return [...rules, ...accounts].join('; ')
}

/** What the run created on a platform, in one sentence without a full stop. */
export function accountsLine({ group, created, uncertain }: AccountsRecord): string {
  if (created.length + uncertain.length === 0) return 'no demo account created'
  const named = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
  const parts = [
    ...(created.length === 0 ? [] : [`${plural(created.length, 'demo account')} created: ${named(created)}`]),
    ...(uncertain.length === 0 ? [] : [`${uncertain.length} may have been created: ${named(uncertain)}`]),
  ]
  return `${parts.join(' and ')} in the group ${group}; they cannot be removed through this API`
}

/** What the gate comes to, in one sentence without a full stop. */
export function gateLine({ baseline, findings, excused }: GateRecord): string {
  const rest = findings.length === 0 ? 'nothing else to look at' : `${findings.length} to look at`
  return `${plural(excused.length, 'known failure')} (${baseline}), ${rest}`
}

/** What the comparison with a profile comes to, in one sentence without a full stop. */
export function driftLine({ profile, agreeing, unanswered, findings }: DriftRecord, strict: boolean): string {
  const asked = agreeing + findings.length
  const drift = `${findings.length} of ${plural(asked, 'answer')} drifted from the profile (${profile})`
  const counts = findings.length > 0 && strict ? ', which counts with --strict' : ''
  return `${drift}${counts}${unanswered.length > 0 ? `; ${unanswered.length} more could not be compared` : ''}`
}

/** Who looks after a known failure and until when; empty where neither is said. */
export function termsWords({ owner, expires }: ExcusedFailure): string {
  return [owner, expires && `until ${expires}`].filter((part) => part !== null).join(', ')
}

/** Whether a failure at this level decides the verdict; others are findings. */
export function levelCounts(level: Level, strict: boolean): boolean {
  return strict || level === 'required'
}

/** Failed requirements by what they mean: those that decide the verdict, and findings. By level. */
export function failures(report: Report): { counting: ReportedRequirement[]; findings: ReportedRequirement[] } {
  const failed = levels.flatMap((level) =>
    report.requirements.filter((requirement) => requirement.level === level && requirement.status === 'failed'),
  )
  const counts = (requirement: ReportedRequirement) => levelCounts(requirement.level, report.scope.strict)
  return { counting: failed.filter(counts), findings: failed.filter((requirement) => !counts(requirement)) }
}

/** Whether the target was seen to answer otherwise than the simulator does by default. */
export function differs(observation: ReportedObservation): boolean {
  return observation.status === 'passed' && observation.answer !== observation.default
}

/** The answer in a word or two. */
export function answerWords(observation: ReportedObservation): string {
  if (observation.answer !== null) return observation.answer
  return observation.status === 'passed'
    ? 'none of the known answers'
    : `not learned (${statusWords[observation.status]})`
}

/** How many requirements have a status. */
export function countStatus(report: Report, status: Status): number {
  return levels.reduce((sum, level) => sum + report.summary[level][status], 0)
}

function interferedLine({ rulesBefore }: Harm): string {
  return `0 of ${plural(rulesBefore, 'rule')} changed by the kit; somebody else changed the list during the run`
}
