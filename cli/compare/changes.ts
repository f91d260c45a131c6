import { answerLabel, plural, statusLabels } from '../../reports/phrases.ts'
import type { Report, ReportedCheck, ReportedRequirement } from '../../reports/report.ts'
import { isListLost, isUnanswered, listSentence } from '../../reports/verdict.ts'
import { diffOutcomes, outcomesOf } from '../baseline/diff.ts'

/** The kinds of differences between two reports with their labels, most important first. */
const changeKinds = {
  regression: { heading: 'Regressions', words: ['regression'], colour: 'red' },
  'new-failure': {
    heading: 'Failures of checks that were not judged before',
    words: ['failure not judged before', 'failures not judged before'],
    colour: 'red',
  },
  'changed-failure': { heading: 'Failures that changed', words: ['changed failure'], colour: 'yellow' },
  unjudged: {
    heading: 'Checks that can no longer be judged',
    words: ['check can no longer be judged', 'checks can no longer be judged'],
    colour: 'yellow',
  },
  'not-run': {
    heading: 'Checks that no longer ran',
    words: ['check no longer ran', 'checks no longer ran'],
    colour: 'cyan',
  },
  drift: { heading: 'Changed answers', words: ['changed answer'], colour: 'cyan' },
  slower: { heading: 'Slower operations', words: ['slower operation'], colour: 'cyan' },
  fix: { heading: 'Fixes', words: ['fix', 'fixes'], colour: 'green' },
} as const

/** One difference between two reports. Its texts come from the reports and are not escaped. */
export interface Change {
  readonly kind: keyof typeof changeKinds
  /** Id of a check or a question, an operation like `GET /api/rules`, or `list`. */
  readonly subject: string
  readonly about: string
  readonly before: string
  readonly after: string
}

/** Every difference between two reports that concerns the server, in the order of `changeKinds`. */
export function changesBetween(old: Report, fresh: Report): readonly Change[] {
  const changes = [changedEnd, changedChecks, changedQuestions, slowerOperations].flatMap((find) => find(old, fresh))
  return groupedByKind(changes).flatMap(({ found }) => found)
}

export function groupedByKind(changes: readonly Change[]) {
  return Object.entries(changeKinds)
    .map(([kind, labels]) => ({ ...labels, id: kind, found: changes.filter((change) => change.kind === kind) }))
    .filter(({ found }) => found.length > 0)
}

/** The numbers of a comparison: `2 regressions, 1 fix`. */
export function countsOf(changes: readonly Change[]): string {
  const counts = groupedByKind(changes).map(({ found, words: [one, several] }) => plural(found.length, one, several))
  return counts.length === 0 ? 'no change' : counts.join(', ')
}

/** How the runs themselves differed, one sentence each. The server did not cause these differences. */
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

/** A list that is lost at the end, which no check shows. A running server that does not respond may still have it. */
function changedEnd(old: Report, fresh: Report): readonly Change[] {
  if (!isListLost(fresh.harm) || isListLost(old.harm)) return []
  const kind = fresh.target.kind === 'url' && fresh.harm.unreachable ? 'unjudged' : 'regression'
  return [{ kind, subject: 'list', about: 'the end of the run', before: listSentence(old), after: listSentence(fresh) }]
}

function changedChecks(old: Report, fresh: Report): readonly Change[] {
  const [before, after] = [checksIn(old), checksIn(fresh)]
  const checks = (all: typeof before) => Array.from(all.values(), ({ check }) => check)
  return Array.from(diffOutcomes(outcomesOf(checks(before)), outcomesOf(checks(after))), ([id, kind]) => {
    const { requirement, check } = after.get(id) ?? (before.get(id) as CheckIn)
    const about = `${check.title} (${requirement.id}, clause ${requirement.clause}, ${requirement.level})`
    return { kind, subject: id, about, before: stateOf(before.get(id)), after: stateOf(after.get(id)) }
  })
}

type CheckIn = { readonly requirement: ReportedRequirement; readonly check: ReportedCheck }

function checksIn({ requirements }: Report): ReadonlyMap<string, CheckIn> {
  return new Map(
    requirements.flatMap((requirement) => requirement.checks.map((check) => [check.id, { requirement, check }])),
  )
}

function stateOf(found: CheckIn | undefined): string {
  if (found === undefined) return 'not in this report'
  const { status, code, message } = found.check
  return `${statusLabels[status]}${code ? ` ${code}` : ''}${message === null ? '' : `: ${message}`}`
}

function changedQuestions(old: Report, fresh: Report): readonly Change[] {
  const before = new Map(old.observations.filter(({ status }) => status === 'passed').map((one) => [one.question, one]))
  return fresh.observations.flatMap((after): Change[] => {
    const { question, text, clause, status, answer, message } = after
    const earlier = before.get(question)
    if (earlier === undefined) return []
    const change = { subject: question, about: `${text} (clause ${clause})`, before: answerLabel(earlier) }
    if (isUnanswered(after)) return [{ kind: 'unjudged', ...change, after: `${answerLabel(after)}: ${message}` }]
    if (status !== 'passed' || answer === earlier.answer) return []
    return [{ kind: 'drift', ...change, after: answerLabel(after) }]
  })
}

/** With fewer responses the median is unreliable. */
const minResponses = 20
/** An operation is slower if its median grew by both this factor and this time. Smaller differences are noise. */
const slower = { factor: 2, minMs: 5 } as const

function slowerOperations(old: Report, fresh: Report): readonly Change[] {
  const before = new Map(old.responseTimes.map((one) => [one.operation, one]))
  return fresh.responseTimes.flatMap(({ operation, responses, medianMs }): Change[] => {
    const earlier = before.get(operation)
    if (earlier === undefined || Math.min(earlier.responses, responses) < minResponses) return []
    if (medianMs < earlier.medianMs * slower.factor || medianMs - earlier.medianMs < slower.minMs) return []
    const about = `median of ${plural(responses, 'response')}, ${earlier.responses} before`
    return [{ kind: 'slower', subject: operation, about, before: ms(earlier.medianMs), after: ms(medianMs) }]
  })
}

const ms = (duration: number) => `${duration.toFixed(1)} ms`
