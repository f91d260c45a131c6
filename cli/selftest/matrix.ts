import { type Answers, expectedKills, includes, type SelfTestApi } from '../target/self-test.ts'
import type { ApiMatrix, CombinedRow, DefectRow, Detection, Kill, RequirementColumn, Violation } from './document.ts'
import type { ApiScope, Planned, TaskPlan } from './plan.ts'
import type { Result } from './task.ts'

/**
 * A planned task and its results. `alone` has the results of the requirements that missed a defect in the complete run,
 * each judged again on a new server. A defect may show only in some states of a server, and earlier checks may have
 * changed the state.
 */
export type Done = Planned & { readonly results: readonly Result[]; readonly alone: readonly Result[] }

/** The requirements of these checks. */
function requirementsOf({ api }: ApiScope, results: readonly Result[]): readonly string[] {
  const requirementOf = new Map(api.checks.map(({ id, requirement }) => [id, requirement]))
  return [...new Set(results.flatMap(({ check }) => requirementOf.get(check) ?? []))]
}

/** The requirements with a failed check. */
export function failedIn(scope: ApiScope, results: readonly Result[]): readonly string[] {
  return requirementsOf(
    scope,
    results.filter(({ status }) => status === 'failed'),
  )
}

export function buildMatrix(
  scope: ApiScope,
  { profiles }: TaskPlan,
  done: readonly Done[],
  detection: readonly Detection[] = [],
): ApiMatrix {
  const combined = new Map(done.flatMap((one) => (one.purpose === 'combined' ? [[one.defect.id, one]] : [])))
  const others = new Map(done.flatMap((one) => (one.purpose === 'other' ? [[one.defect.id, one.results]] : [])))
  const defects = done.flatMap((one) => {
    if (one.purpose !== 'row') return []
    const { id } = one.defect
    return [row(scope, one, combined.get(id) ?? null, others.get(id) ?? [])]
  })
  const alarms = done
    .filter(({ purpose }) => purpose === 'right')
    .map(({ task: { answers }, results }) => results.filter((one) => violationKind(scope.api, answers, one) !== null))
    .map((wrong) => requirementsOf(scope, wrong))
  const requirements = scope.api.requirements
    .filter(({ id }) => scope.requirements.includes(id))
    .map(({ id, clause, level, statement }): RequirementColumn => {
      const brokenBy = defects.filter(({ breaks }) => breaks.includes(id)).map((defect) => defect.id)
      const killed = defects.filter(({ killedBy }) => killedBy.includes(id)).map((defect) => defect.id)
      const caught = killed.filter((defect) => brokenBy.includes(defect))
      return {
        id,
        clause,
        level,
        statement,
        brokenBy,
        caught,
        alsoRed: killed.filter((defect) => !brokenBy.includes(defect)),
        falseAlarms: alarms.filter((red) => red.includes(id)).length,
        unproven: caught.length === 0,
      }
    })
  return { name: scope.api.name, defects, requirements, profiles, detection }
}

export type DoneWithDefect = Exclude<Done, { purpose: 'right' }>
type Combined = DoneWithDefect & { readonly purpose: 'combined' }

function row(scope: ApiScope, done: DoneWithDefect, combined: Combined | null, others: readonly Result[]): DefectRow {
  const { id, summary, breaks } = done.defect
  const kills = killsOf(scope, done)
  const blocked = done.results.filter(({ status }) => status === 'blocked')
  return {
    id,
    summary,
    breaks,
    verdict: verdictOf(breaks, kills),
    ...kills,
    blocked: requirementsOf(scope, blocked).filter((id) => !kills.killedBy.includes(id)),
    catchingChecks: catchingChecks(scope, done),
    failures: failuresIn([...done.results, ...done.alone, ...(combined?.results ?? []), ...others]),
    combined: combined && combinedRow(scope, combined),
  }
}

/** The failed checks of the requirements that a defect breaks. */
export function catchingChecks({ api }: ApiScope, { defect, results, alone }: DoneWithDefect): readonly string[] {
  const own = new Set(api.checks.filter(({ requirement }) => defect.breaks.includes(requirement)).map(({ id }) => id))
  const failed = [...results, ...alone].filter(({ check, status }) => status === 'failed' && own.has(check))
  return [...new Set(failed.map(({ check }) => check))].toSorted()
}

/** Each failed check with its failure code and the circumstances, which can depend on the answers. */
function failuresIn(
  results: readonly Pick<Result, 'check' | 'status' | 'code' | 'circumstances'>[],
): readonly string[] {
  const failed = results.filter(({ status }) => status === 'failed')
  const texts = failed.map(({ check, code, circumstances }) => `${check}:${code}:${circumstances ?? ''}`)
  return [...new Set(texts)].toSorted()
}

function combinedRow(scope: ApiScope, done: Combined): CombinedRow {
  const { killedAlone: _, ...kills } = killsOf(scope, done)
  return { profile: done.profile, ...kills }
}

/** The requirements that catch a defect, that should but miss it, and that cannot. */
export function killsOf(scope: ApiScope, { defect, task, results, alone }: DoneWithDefect) {
  const { due, hidden } = expectedKills(scope.api, defect, task.answers)
  const red = failedIn(scope, results)
  const killedAlone = failedIn(scope, alone).filter((id) => !red.includes(id))
  const killedBy = [...red, ...killedAlone]
  const isMissed = (id: string) => task.requirements.includes(id) && !killedBy.includes(id)
  return { killedBy, killedAlone, missedBy: due.filter(isMissed), hiddenFrom: hidden }
}

type Kills = Pick<DefectRow, 'killedBy' | 'missedBy' | 'hiddenFrom'>

function verdictOf(breaks: readonly string[], { killedBy, missedBy, hiddenFrom }: Kills): Kill {
  if (hiddenFrom.length === breaks.length) return 'hidden'
  if (missedBy.length === 0) return 'killed-by-all'
  if (breaks.some((id) => killedBy.includes(id))) return 'killed-by-some'
  return killedBy.length > 0 ? 'killed-by-others' : 'survived'
}

/** The law that a result of a simulator without a defect violates; null for none. */
export function violationKind(
  api: SelfTestApi,
  answers: Answers,
  { check, status, answer }: Result,
): Violation['kind'] | null {
  const requirement = api.checks.find(({ id }) => id === check)?.requirement
  const question = api.observations.find(({ id }) => id === check)?.question
  if (status === 'error') return 'error'
  const subject = requirement ?? question ?? check
  const mayBeUnseen = api.unmeasurable.some((one) => one.subjects.test(subject) && includes(api, answers, one.where))
  if (mayBeUnseen && (status === 'not-applicable' || status === 'passed')) return null
  if (status !== 'passed') return question === undefined ? 'false-alarm' : 'wrong-observation'
  const given = question === undefined ? null : (answers[question] ?? defaultOf(api, question))
  return answer === given ? null : 'wrong-observation'
}

function defaultOf({ questions }: SelfTestApi, question: string): string | null {
  return questions.find(({ id }) => id === question)?.default ?? null
}
