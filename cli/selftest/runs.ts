import { createHash } from 'node:crypto'
import type { Answers, KnownDefect } from '../target/self-test.ts'
import { catchingChecks, killsOf, type Run, type TriedDefect } from './matrix.ts'
import type { Processes } from './processes.ts'
import type { ApiScope } from './scope.ts'
import { bareTask, type SelfTestTask } from './task.ts'

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
  return { right: ofRight, defects: ofDefects }
}

async function tryDefect(scope: ApiScope, defect: KnownDefect, run: RunTask): Promise<TriedDefect> {
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
    return { row, alone, scoped: quick ? [] : await tryInRunScopes(scope, task, run) }
  }
  const judgeCombined = async () => {
    const profile = profileOf(defect, scope)
    return { profile, ...(await runWith(profiles[profile] ?? {})) }
  }
  const [row, combined, other, masked] = await Promise.all([
    judgeRow(),
    profiles.length === 0 ? null : judgeCombined(),
    quick || api.otherAnswers === null ? null : runWith(api.otherAnswers),
    Promise.all((defect.maskedBy ?? []).map(({ answers, from }) => runWith(answers, from))),
  ])
  return { defect, ...row, combined, other, masked }
}

/** The random profile of a defect. It does not depend on other defects, so that a new defect does not change it. */
function profileOf({ id }: KnownDefect, { seed, profiles }: ApiScope): number {
  return createHash('sha256').update(`${seed} ${id}`).digest().readUInt32BE() % profiles.length
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
