import { type Answers, expectedKills, includes, type KnownDefect, type SelfTestApi } from '../target/self-test.ts'
import type { ApiMatrix, CombinedRow, DefectRow, Detection, Kill, RequirementColumn, Violation } from './document.ts'
import type { ApiScope } from './scope.ts'
import type { Result, SelfTestTask } from './task.ts'

/** A task and its results. */
export interface Run {
  readonly task: SelfTestTask
  readonly results: readonly Result[]
}

/** What a simulator with a defect did under several answers. */
export interface TriedDefect {
  readonly defect: KnownDefect
  /** Under the default answers: a row of the kill matrix. */
  readonly row: Run
  /**
   * The results of the requirements that missed it there, each judged again on a new server. A defect may show only in
   * some states of a server, and earlier checks may have changed the state.
   */
  readonly alone: readonly Result[]
  /** Under a random profile; null without profiles. */
  readonly combined: (Run & { readonly profile: number }) | null
  /** Under the other answers of the API: how it fails with them is part of its row. */
  readonly other: Run | null
  /** Under answers that are listed as masks of it. */
  readonly masked: readonly Run[]
  /** Under the conditions of users' runs, in the order of `runScopes`; empty if no check catches it. */
  readonly scoped: readonly (readonly Result[])[]
}

/** Everything that was tried for an API. */
export interface Tried {
  /** Without a defect. `profile` is the position of the random profile; null for the default answers. */
  readonly right: readonly (Run & { readonly profile: number | null })[]
  readonly defects: readonly TriedDefect[]
}

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

export function buildMatrix(scope: ApiScope, tried: Tried, detection: readonly Detection[] = []): ApiMatrix {
  const defects = tried.defects.map((one) => rowOf(scope, one))
  const alarms = tried.right
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
  return { name: scope.api.name, defects, requirements, profiles: scope.profiles, detection }
}

function rowOf(scope: ApiScope, { defect, row, alone, combined, other }: TriedDefect): DefectRow {
  const { id, summary, breaks } = defect
  const kills = killsOf(scope, defect, row, alone)
  const blocked = row.results.filter(({ status }) => status === 'blocked')
  const judged = [...row.results, ...alone]
  return {
    id,
    summary,
    breaks,
    verdict: verdictOf(breaks, kills),
    ...kills,
    blocked: requirementsOf(scope, blocked).filter((requirement) => !kills.killedBy.includes(requirement)),
    catchingChecks: catchingChecks(scope, defect, judged),
    failures: failuresIn([...judged, ...(combined?.results ?? []), ...(other?.results ?? [])]),
    combined: combined && combinedRow(scope, defect, combined),
  }
}

/** The failed checks of the requirements that a defect breaks. */
export function catchingChecks(
  { api }: ApiScope,
  { breaks }: KnownDefect,
  results: readonly Result[],
): readonly string[] {
  const own = new Set(api.checks.filter(({ requirement }) => breaks.includes(requirement)).map(({ id }) => id))
  const failed = results.filter(({ check, status }) => status === 'failed' && own.has(check))
  return [...new Set(failed.map(({ check }) => check))].toSorted()
}

/** Each failed check with its failure code and the circumstances, which can depend on the answers. */
function failuresIn(results: readonly Result[]): readonly string[] {
  const failed = results.filter(({ status }) => status === 'failed')
  const texts = failed.map(({ check, code, circumstances }) => `${check}:${code}:${circumstances ?? ''}`)
  return [...new Set(texts)].toSorted()
}

function combinedRow(scope: ApiScope, defect: KnownDefect, run: NonNullable<TriedDefect['combined']>): CombinedRow {
  const { killedAlone: _, ...kills } = killsOf(scope, defect, run)
  return { profile: run.profile, ...kills }
}

/** The requirements that catch a defect, that should but miss it, and that cannot. `alone` is as in `TriedDefect`. */
export function killsOf(scope: ApiScope, defect: KnownDefect, { task, results }: Run, alone: readonly Result[] = []) {
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
