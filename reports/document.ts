import type { Question } from '../spec/question.ts'
import { type Level, levels, type Requirement } from '../spec/requirement.ts'
import { notRun, type Outcome } from '../suites/runner/outcome.ts'
import { statuses } from './phrases.ts'
import type {
  Report,
  ReportedCheck,
  ReportedObservation,
  ReportedRequirement,
  RequirementStatus,
  ResponseTime,
} from './report.ts'
import { judgeEvidence, requirementStatus } from './verdict.ts'

/** A check in a report, without its outcome. It judges a requirement or answers a question. */
export type CheckEntry = { readonly id: string; readonly title: string } & (
  | { readonly requirement: string; readonly question?: never }
  | { readonly question: string; readonly requirement?: never }
)

/** All data of a finished run, with secrets redacted. */
export interface RunRecord
  extends Pick<Report, 'kit' | 'target' | 'scope' | 'seed' | 'startedAt' | 'durationMs' | 'harm'>,
    Partial<Pick<Report, 'platform' | 'diagnosis'>> {
  readonly requirements: readonly Requirement[]
  readonly questions: readonly Question[]
  /** Every check of the kit, including those that were not in the run. */
  readonly checks: readonly CheckEntry[]
  /** The outcomes of the planned checks, in any order. */
  readonly outcomes: readonly Outcome[]
  /** Some defects that a check fails for; absent if none are known. */
  readonly defectsOf?: (check: string) => readonly string[]
}

const notSelected = 'not selected by --only or --skip'

/** Builds the document that all renderings are made from. */
export function buildReport(run: RunRecord): Report {
  const outcomes = new Map(run.outcomes.map((outcome) => [outcome.check, outcome]))
  const { kit, target, scope, seed, startedAt, durationMs, diagnosis = [], harm, platform = null } = run
  const requirements = run.requirements.map((requirement) => reportRequirement(requirement, run, outcomes))
  const observations = reportObservations(run, outcomes)
  return {
    schema: 'copytrade-tck/report@1',
    ...{ kit, target, scope, seed, startedAt, durationMs },
    ...judgeEvidence({ ...run, requirements, observations }),
    diagnosis,
    summary: countByLevel(requirements),
    ...{ requirements, observations },
    responseTimes: responseTimesOf(run.outcomes),
    ...{ harm, platform, gate: null, drift: null },
  }
}

type Outcomes = ReadonlyMap<string, Outcome>

function reportRequirement(requirement: Requirement, run: RunRecord, outcomes: Outcomes): ReportedRequirement {
  const own = run.checks.filter((entry) => entry.requirement === requirement.id)
  const planned = own.some((entry) => outcomes.has(entry.id))
  const checks = own.map((entry) => ({
    ...reportCheck(entry, outcomes.get(entry.id)),
    ...(outcomes.get(entry.id)?.status === 'failed' && reasonsFor(entry.id, run)),
  }))
  const { id, clause, level, statement, consequence } = requirement
  const status = requirementStatus(checks)
  const reason = planned ? null : own.length === 0 ? 'the kit has no check for it' : notSelected
  return { id, clause, level, statement, consequence, status, reason, checks }
}

/** The faults that explain the failure of a check, and the defects that prove that it can fail. */
function reasonsFor(check: string, { diagnosis, defectsOf }: RunRecord) {
  const explainedBy = (diagnosis ?? [])
    .filter(({ reenacted, explains }) => reenacted && explains.includes(check))
    .flatMap(({ defects }) => defects)
  return {
    ...(explainedBy.length > 0 && { explainedBy }),
    ...(defectsOf && { provenBy: defectsOf(check) }),
  }
}

/** Checks that were not planned are listed too, so that they are not mistaken for passed ones. */
function reportCheck({ id, title }: CheckEntry, outcome = notRun(id, 'out-of-scope', notSelected)): ReportedCheck {
  const { check: _check, answer: _answer, stop: _stop, durationsMs: _, ...rest } = outcome
  return { id, title, ...rest }
}

function reportObservations(run: RunRecord, outcomes: Outcomes): ReportedObservation[] {
  const questions = new Map(run.questions.map((question) => [question.id, question]))
  return run.checks.flatMap((entry) => {
    const question = questions.get(entry.question ?? '')
    const outcome = outcomes.get(entry.id)
    return question && outcome ? [reportObservation(question, outcome)] : []
  })
}

function reportObservation(question: Question, outcome: Outcome): ReportedObservation {
  const { answer, check, status, exchanges, exchangesOmitted } = outcome
  const meaning = answer === null ? null : question.answers[answer]
  if (meaning === undefined)
    throw new Error(`${check} observed the answer "${answer}", which its question does not have`)
  const observed = outcome.message
  return {
    question: question.id,
    check,
    status,
    clause: question.clause,
    text: question.question,
    answer,
    default: question.default,
    message: meaning !== null && observed !== null ? `${meaning} (observed: ${observed})` : (meaning ?? observed),
    exchanges,
    exchangesOmitted,
  }
}

function countByLevel(requirements: readonly ReportedRequirement[]): Report['summary'] {
  const count = (level: Level, status: RequirementStatus) =>
    requirements.filter((requirement) => requirement.level === level && requirement.status === status).length
  const row = (level: Level) => Object.fromEntries(statuses.map((status) => [status, count(level, status)]))
  return Object.fromEntries(levels.map((level) => [level, row(level)])) as Report['summary']
}

/** The response times of each operation over all requests of a run, not only those in the report. */
function responseTimesOf(outcomes: readonly Pick<Outcome, 'durationsMs'>[]): readonly ResponseTime[] {
  const all = new Map<string, number[]>()
  for (const [operation, durationsMs] of outcomes.flatMap((outcome) => Object.entries(outcome.durationsMs ?? {}))) {
    all.set(operation, (all.get(operation) ?? []).concat(durationsMs))
  }
  return Array.from(all, ([operation, durationsMs]) => {
    const sorted = durationsMs.toSorted((one, other) => one - other)
    const responses = sorted.length
    const at = (share: number) =>
      Math.round((sorted[Math.min(responses - 1, Math.floor(responses * share))] ?? 0) * 10) / 10
    return { operation, responses, medianMs: at(0.5), p95Ms: at(0.95), maxMs: at(1) }
  }).toSorted((one, other) => (one.operation < other.operation ? -1 : 1))
}
