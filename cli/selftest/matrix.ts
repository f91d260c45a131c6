import { type Answers, expectedKills, includes, type KnownDefect, type SelfTestApi } from '../target/self-test.ts'
import type { ApiMatrix, DefectRow, Detection, Kill, RequirementColumn, Violation } from './document.ts'
import type { ApiScope } from './scope.ts'
import type { Result, SelfTestTask } from './task.ts'

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

export interface Tried {
  /** Without a defect. `profile` is the position of the random profile; null for the default answers. */
  readonly right: readonly (Run & { readonly profile: number | null })[]
  readonly defects: readonly TriedDefect[]
}

function requirementsOf(results: readonly Result[]): readonly string[] {
  return [...new Set(results.flatMap(({ requirement }) => requirement ?? []))]
}

const isFailed = ({ status }: Result) => status === 'failed'

export function failedIn(results: readonly Result[]): readonly string[] {
  return requirementsOf(results.filter(isFailed))
}

export function buildMatrix({ api, requirements, profiles }: ApiScope, tried: Tried): ApiMatrix {
  const defects = tried.defects.map((one) => rowOf(api, one))
  const alarms = tried.right.map(({ task: { answers }, results }) =>
    requirementsOf(results.filter((one) => violationKind(api, answers, one) !== null)),
  )
  const columns = api.requirements
    .filter(({ id }) => requirements.includes(id))
    .map(({ id, clause, level, statement }): RequirementColumn => {
      const brokenBy = defects.filter(({ breaks }) => breaks.includes(id)).map((defect) => defect.id)
      const killed = defects.filter(({ killedBy }) => killedBy.includes(id)).map((defect) => defect.id)
      const caught = killed.filter((defect) => brokenBy.includes(defect))
      return {
        ...{ id, clause, level, statement, brokenBy, caught },
        alsoRed: killed.filter((defect) => !brokenBy.includes(defect)),
        falseAlarms: alarms.filter((red) => red.includes(id)).length,
        unproven: caught.length === 0,
      }
    })
  return { name: api.name, defects, requirements: columns, profiles, detection: detectionOf(api, tried.defects) }
}

function rowOf(api: SelfTestApi, { defect, row, alone, combined, other }: TriedDefect): DefectRow {
  const { id, summary, breaks } = defect
  const kills = killsOf(api, defect, row, alone)
  const blocked = row.results.filter(({ status }) => status === 'blocked')
  const judged = [...row.results, ...alone]
  return {
    ...{ id, summary, breaks },
    verdict: verdictOf(breaks, kills),
    ...kills,
    blocked: requirementsOf(blocked).filter((requirement) => !kills.killedBy.includes(requirement)),
    catchingChecks: catchingChecks(defect, judged),
    failures: failuresIn([...judged, ...(combined?.results ?? []), ...(other?.results ?? [])]),
    combined: combined && combinedRow(api, defect, combined),
  }
}

/** The failed checks of the requirements that a defect breaks. */
export function catchingChecks({ breaks }: KnownDefect, results: readonly Result[]): readonly string[] {
  const caught = results.filter(isFailed).filter(({ requirement = '' }) => breaks.includes(requirement))
  return [...new Set(caught.map(({ check }) => check))].toSorted()
}

/** Each failed check with its failure code and the circumstances, which can depend on the answers. */
function failuresIn(results: readonly Result[]): readonly string[] {
  const texts = results.flatMap(({ check, failure }) => (failure === undefined ? [] : `${check}:${failure.recorded}`))
  return [...new Set(texts)].toSorted()
}

function combinedRow(api: SelfTestApi, defect: KnownDefect, run: Run & { readonly profile: number }) {
  const { killedAlone: _, ...kills } = killsOf(api, defect, run)
  return { profile: run.profile, ...kills }
}

/** The requirements that catch a defect, that should but miss it, and that cannot. `alone` is as in `TriedDefect`. */
export function killsOf(api: SelfTestApi, defect: KnownDefect, { task, results }: Run, alone: readonly Result[] = []) {
  const { due, hidden } = expectedKills(api, defect, task.answers)
  const red = failedIn(results)
  const killedAlone = failedIn(alone).filter((id) => !red.includes(id))
  const killedBy = [...red, ...killedAlone]
  const isMissed = (id: string) => task.requirements.includes(id) && !killedBy.includes(id)
  return { killedBy, killedAlone, missedBy: due.filter(isMissed), hiddenFrom: hidden }
}

function verdictOf(breaks: readonly string[], { killedBy, missedBy, hiddenFrom }: ReturnType<typeof killsOf>): Kill {
  if (hiddenFrom.length === breaks.length) return 'hidden'
  if (missedBy.length === 0) return 'killed-by-all'
  if (breaks.some((id) => killedBy.includes(id))) return 'killed-by-some'
  return killedBy.length > 0 ? 'killed-by-others' : 'survived'
}

/** The law that a result of a simulator without a defect violates; null for none. */
export function violationKind(
  api: SelfTestApi,
  answers: Answers,
  { check, status, answer, requirement, question }: Result,
): Violation['kind'] | null {
  if (status === 'error') return 'error'
  const subject = requirement ?? question ?? check
  const mayBeUnseen = api.unmeasurable.some((one) => one.subjects.test(subject) && includes(api, answers, one.where))
  if (mayBeUnseen && (status === 'not-applicable' || status === 'passed')) return null
  if (status !== 'passed') return question === undefined ? 'false-alarm' : 'wrong-observation'
  const isRight = question === undefined || includes(api, answers, { [question]: answer ?? '' })
  return isRight ? null : 'wrong-observation'
}

/** For each kind of run: the defects that it catches, that are beyond its scope, and that it misses. */
export function detectionOf(
  { runScopes }: Pick<SelfTestApi, 'runScopes'>,
  defects: readonly Pick<TriedDefect, 'defect' | 'scoped'>[],
): readonly Detection[] {
  return runScopes.flatMap(({ id: scope, summary }, place): readonly Detection[] => {
    const tried = defects.flatMap(({ defect: { id: defect }, scoped }) =>
      scoped
        .slice(place, place + 1)
        .map((results) => ({ defect, isCaught: results.some(isFailed), reason: reasonOutOfScope(results) })),
    )
    if (tried.length === 0) return []
    const left = tried.filter(({ isCaught }) => !isCaught)
    return [
      {
        ...{ scope, summary },
        caught: tried.flatMap(({ defect, isCaught }) => (isCaught ? defect : [])),
        beyond: left.flatMap(({ defect, reason }) => (reason === null ? [] : { defect, reason })),
        missed: left.flatMap(({ defect, reason }) => (reason === null ? defect : [])),
      },
    ]
  })
}

/** Null if a check was in scope. */
function reasonOutOfScope(results: readonly Result[]): string | null {
  const reasons = results.map(({ status, message }) =>
    status === 'out-of-scope' || status === 'not-applicable' ? message : null,
  )
  return reasons.includes(null) ? null : (reasons[0] ?? null)
}
