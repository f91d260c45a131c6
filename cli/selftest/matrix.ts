import { seedFor } from '../../suites/session/random.ts'
import { type Answers, expectedKills, includes, type KnownDefect, type SelfTestApi } from '../target/self-test.ts'
import type { Processes } from './processes.ts'
import type { ApiScope } from './scope.ts'
import { bareTask, type Result, type SelfTestTask } from './task.ts'

interface Run {
  readonly task: SelfTestTask
  readonly results: readonly Result[]
}

type RunTask = Processes['run']

/** Judges the simulators without a defect, and those with each defect. `onDone` is called for each of them. */
export async function tryAll(scope: ApiScope, run: RunTask, onDone: (task: SelfTestTask) => void = () => undefined) {
  const { api, seed, profiles, requirements, observes } = scope
  const right = [null, ...profiles.keys()].map(async (profile) => {
    const answers = profile === null ? {} : (profiles[profile] ?? {})
    const task = { ...bareTask, api: api.name, seed, answers, requirements, observes }
    const results = await run(task)
    onDone(task)
    return { profile, task, results }
  })
  const defects = scope.defects.map(async (defect) => {
    const tried = await tryDefect(scope, defect, run)
    onDone(tried.row.task)
    return tried
  })
  const [ofRight, ofDefects] = await Promise.all([Promise.all(right), Promise.all(defects)])
  return {
    /** Without a defect. `profile` is the position of the random profile; null for the default answers. */
    right: ofRight,
    defects: ofDefects,
  }
}

export type Tried = Awaited<ReturnType<typeof tryAll>>
export type TriedDefect = Tried['defects'][number]

/** What a simulator with a defect does under several answers. */
async function tryDefect(scope: ApiScope, defect: KnownDefect, run: RunTask) {
  const { api, seed, quick, profiles } = scope
  const runWith = async (answers: Answers, requirements = defect.breaks): Promise<Run> => {
    const task = { ...bareTask, api: api.name, seed, defects: [defect.id], answers, requirements }
    return { task, results: await run(task) }
  }
  const judgeRow = async () => {
    const row = await runWith({}, quick ? defect.breaks : scope.requirements)
    const missed = killsOf(api, defect, row).missedBy
    const again = await Promise.all(missed.map((id) => runWith({}, [id])))
    const alone = again.flatMap(({ results }) => results)
    const catching = catchingChecks(defect, [...row.results, ...alone])
    const task = { ...row.task, requirements: defect.breaks, only: catching }
    return {
      /** Under the default answers: a row of the kill matrix. */
      row,
      /**
       * The results of the requirements that missed it there, each judged again on a new server. A defect may show only
       * in some states of a server, and earlier checks may have changed the state.
       */
      alone,
      /** Under the conditions of users' runs, in the order of `runScopes`; empty if no check catches it. */
      scoped: quick ? [] : await tryInRunScopes(scope, task, run),
    }
  }
  const judgeCombined = async () => {
    // The random profile of a defect does not depend on other defects, so that a new defect does not change it.
    const profile = (seedFor(seed, defect.id) >>> 0) % profiles.length
    return { profile, ...(await runWith(profiles[profile] ?? {})) }
  }
  const [row, combined, other, masked] = await Promise.all([
    judgeRow(),
    profiles.length === 0 ? null : judgeCombined(),
    quick || api.otherAnswers === null ? null : runWith(api.otherAnswers),
    Promise.all((defect.maskedBy ?? []).map(({ answers, from }) => runWith(answers, from))),
  ])
  return {
    ...{ defect, ...row },
    /** Under a random profile; null without profiles. */
    combined,
    /** Under the other answers of the API: how it fails with them is part of its row. */
    other,
    /** Under answers that are listed as masks of it. */
    masked,
  }
}

/** Judges a defect under the conditions of users' runs, by the checks that catch it in an unlimited run. */
async function tryInRunScopes({ api }: ApiScope, task: SelfTestTask & { only: readonly string[] }, run: RunTask) {
  if (task.only.length === 0 || api.runScopes.length === 0) return []
  // A check over the whole run may fail because of the requests of another check, so each is also tried alone.
  const alone = await Promise.all(task.only.map((check) => run({ ...task, only: [check] })))
  const failed = alone.flat().filter(({ status }) => status === 'failed')
  const only = failed.length === 0 ? task.only : failed.map(({ check }) => check)
  return Promise.all(api.runScopes.map((scope) => run({ ...task, only, scope })))
}

function requirementsOf(results: readonly Result[]): readonly string[] {
  return [...new Set(results.flatMap(({ requirement }) => requirement ?? []))]
}

const isFailed = ({ status }: Result) => status === 'failed'

export function failedIn(results: readonly Result[]): readonly string[] {
  return requirementsOf(results.filter(isFailed))
}

/** Defect × requirement. Pairs that are not listed passed. */
export type ApiMatrix = ReturnType<typeof buildMatrix>

export function buildMatrix({ api, requirements, profiles }: ApiScope, tried: Tried) {
  const defects = tried.defects.map((one) => rowOf(api, one))
  const alarms = tried.right.map(({ task: { answers }, results }) =>
    requirementsOf(results.filter((one) => violationKind(api, answers, one) !== null)),
  )
  const columns = api.requirements
    .filter(({ id }) => requirements.includes(id))
    .map(({ id, clause, level, statement }) => {
      const brokenBy = defects.filter(({ breaks }) => breaks.includes(id)).map((defect) => defect.id)
      const killed = defects.filter(({ killedBy }) => killedBy.includes(id)).map((defect) => defect.id)
      const caught = killed.filter((defect) => brokenBy.includes(defect))
      return {
        ...{ id, clause, level, statement, brokenBy, caught },
        /** The defects that made it fail although they do not declare it. */
        alsoRed: killed.filter((defect) => !brokenBy.includes(defect)),
        /** The number of profiles in which it failed or was not judged without a defect. */
        falseAlarms: alarms.filter((red) => red.includes(id)).length,
        unproven: caught.length === 0,
      }
    })
  return { name: api.name, defects, requirements: columns, profiles, detection: detectionOf(api, tried.defects) }
}

export type DefectRow = ReturnType<typeof rowOf>

function rowOf(api: SelfTestApi, { defect, row, alone, combined, other }: TriedDefect) {
  const { id, summary, breaks } = defect
  const kills = killsOf(api, defect, row, alone)
  const blocked = row.results.filter(({ status }) => status === 'blocked')
  const judged = [...row.results, ...alone]
  return {
    ...{ id, summary, breaks },
    /** Under the default answers, like the rest except `failures` and `combined`. */
    verdict: verdictOf(breaks, kills),
    ...kills,
    /** The requirements that could not be judged because of it. */
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

function verdictOf(breaks: readonly string[], { killedBy, missedBy, hiddenFrom }: ReturnType<typeof killsOf>) {
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
): 'error' | 'false-alarm' | 'wrong-observation' | null {
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
) {
  return runScopes.flatMap(({ id: scope, summary }, place) => {
    const tried = defects.flatMap(({ defect: { id: defect }, scoped }) => {
      const results = scoped[place]
      return results ? { defect, isCaught: results.some(isFailed), reason: reasonOutOfScope(results) } : []
    })
    if (tried.length === 0) return []
    const left = tried.filter(({ isCaught }) => !isCaught)
    const caught = tried.flatMap(({ defect, isCaught }) => (isCaught ? defect : []))
    const beyond = left.flatMap(({ defect, reason }) => (reason === null ? [] : { defect, reason }))
    const missed = left.flatMap(({ defect, reason }) => (reason === null ? defect : []))
    return [{ scope, summary, caught, beyond, missed }]
  })
}

/** Null if a check was in scope. */
function reasonOutOfScope(results: readonly Result[]): string | null {
  const reasons = results.map(({ status, message }) =>
    status === 'out-of-scope' || status === 'not-applicable' ? message : null,
  )
  return reasons.includes(null) ? null : (reasons[0] ?? null)
}
