import { answerLabel, plural, statusLabels } from '../../reports/phrases.ts'
import type { Report, ReportedCheck, ReportedObservation, ReportedRequirement } from '../../reports/report.ts'
import { signatureOf } from '../baseline/signature.ts'
import { type Change, type ChangeKind, changeKinds } from './change.ts'

/** Every difference between two reports that speaks about the server, in the order of `changeKinds`. */
export function changesBetween(old: Report, fresh: Report): readonly Change[] {
  const order = Object.keys(changeKinds)
  return [...changedChecks(old, fresh), ...changedAnswers(old, fresh), ...slowerOperations(old, fresh)].toSorted(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind),
  )
}

/** What the two runs did differently, one sentence each: such differences are not the server's. */
export function differencesOfRuns(old: Report, fresh: Report): readonly string[] {
  const facts = ({ scope, kit, target }: Report) => ({
    risk: scope.risk,
    capabilities: scope.capabilities.toSorted().join(', ') || 'none',
    only: scope.only.join(', ') || 'all checks',
    skip: scope.skip.join(', ') || 'nothing',
    requirements: `${kit.requirementsVersion} (kit ${kit.version})`,
    target: target.url,
  })
  const [before, after] = [facts(old), facts(fresh)]
  const names = Object.keys(before) as (keyof typeof before)[]
  return names
    .filter((name) => before[name] !== after[name] && (name !== 'target' || old.target.kind === 'url'))
    .map((name) => `${name}: ${before[name]} before, ${after[name]} now`)
}

type CheckIn = { readonly requirement: ReportedRequirement; readonly check: ReportedCheck }

function checksIn({ requirements }: Report): ReadonlyMap<string, CheckIn> {
  return new Map(
    requirements.flatMap((requirement) => requirement.checks.map((check) => [check.id, { requirement, check }])),
  )
}

function changedChecks(old: Report, fresh: Report): readonly Change[] {
  const [before, after] = [checksIn(old), checksIn(fresh)]
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((id): Change[] => {
    const { requirement, check } = after.get(id) ?? (before.get(id) as CheckIn)
    const kind = kindOf(before.get(id)?.check, after.get(id)?.check)
    if (kind === null) return []
    const about = `${check.title} (${requirement.id}, clause ${requirement.clause}, ${requirement.level})`
    return [{ kind, subject: id, about, before: stateOf(before.get(id)?.check), after: stateOf(after.get(id)?.check) }]
  })
}

function kindOf(before: ReportedCheck | undefined, after: ReportedCheck | undefined): ChangeKind | null {
  if (after?.status === 'failed') {
    if (before?.status === 'passed') return 'regression'
    if (before?.status !== 'failed') return 'new-failure'
    return failsOtherwise(before, after) ? 'changed-failure' : null
  }
  if (!isJudged(before)) return null
  if (after?.status === 'passed') return before?.status === 'failed' ? 'fix' : null
  return after?.status === 'blocked' || after?.status === 'error' ? 'unjudged' : 'not-run'
}

/** Texts for people are not compared. */
function failsOtherwise(before: ReportedCheck, after: ReportedCheck): boolean {
  return signatureOf(before) !== signatureOf(after)
}

function isJudged(check: ReportedCheck | undefined): boolean {
  return check?.status === 'passed' || check?.status === 'failed'
}

function stateOf(check: ReportedCheck | undefined): string {
  if (check === undefined) return 'not in this report'
  const code = check.code ? ` ${check.code}` : ''
  return `${statusLabels[check.status]}${code}${check.message === null ? '' : `: ${check.message}`}`
}

function changedAnswers(old: Report, fresh: Report): readonly Change[] {
  const observed = ({ observations }: Report) => observations.filter(({ status }) => status === 'passed')
  const before = new Map<string, ReportedObservation>(observed(old).map((one) => [one.question, one]))
  return observed(fresh).flatMap((after): Change[] => {
    const earlier = before.get(after.question)
    if (earlier === undefined || earlier.answer === after.answer) return []
    const { question, text, clause } = after
    const about = `${text} (clause ${clause})`
    return [{ kind: 'drift', subject: question, about, before: answerLabel(earlier), after: answerLabel(after) }]
  })
}

/** Fewer responses say nothing about an operation. */
const leastResponses = 20
/** An operation is slower if its median grew by this factor and by this time: less is noise of the machine. */
const slower = { factor: 2, leastMs: 5 } as const

/** Operations whose median response time grew clearly between two runs. */
function slowerOperations(old: Report, fresh: Report): readonly Change[] {
  const before = new Map(old.responseTimes.map((one) => [one.operation, one]))
  return fresh.responseTimes.flatMap(({ operation, responses, medianMs }): Change[] => {
    const earlier = before.get(operation)
    if (earlier === undefined || Math.min(earlier.responses, responses) < leastResponses) return []
    if (medianMs < earlier.medianMs * slower.factor || medianMs - earlier.medianMs < slower.leastMs) return []
    const about = `median of ${plural(responses, 'response')}, ${earlier.responses} before`
    return [{ kind: 'slower', subject: operation, about, before: ms(earlier.medianMs), after: ms(medianMs) }]
  })
}

const ms = (duration: number) => `${duration.toFixed(1)} ms`
