import { comparableFailure, failureSummary } from '../../suites/runner/failure-summary.ts'
import type { Outcome } from '../../suites/runner/outcome.ts'
import type { Answers, Conditions, SelfTestApi } from '../target/self-test.ts'

/** One simulator to judge. Can be sent to a process. */
export interface SelfTestTask {
  readonly api: string
  /** Ids of the simultaneous defects; empty for a correct simulator. */
  readonly defects: readonly string[]
  readonly answers: Answers
  readonly requirements: readonly string[]
  /** Limits the run to these checks of the requirements; null for all. */
  readonly only: readonly string[] | null
  readonly observes: boolean
  readonly seed: number
  /** Null for a run without limits. */
  readonly scope: Conditions | null
}

/** No defect, no limits and no observations. */
export const bareTask = { defects: [], observes: false, scope: null, only: null } as const

/** The result of one check or observation in a task. Can be sent to a process. */
export type Result = Pick<Outcome, 'check' | 'status' | 'code' | 'answer' | 'message'> & {
  readonly requirement?: string
  readonly question?: string
  readonly failure?: Failure
}

/** How a check failed. `recorded` is its code and circumstances, as in `known-faults.json`. */
export type Failure = ReturnType<typeof failureOf>

export function failureOf(outcome: Outcome) {
  return { ...comparableFailure(outcome), recorded: `${outcome.code}:${failureSummary(outcome)}` }
}

export async function perform(task: SelfTestTask, apis: readonly SelfTestApi[]): Promise<readonly Result[]> {
  const api = apis.find(({ name }) => name === task.api)
  if (api === undefined) throw new Error(`there is no API ${task.api}`)
  const defects = task.defects.map((id) => {
    const defect = api.defects.find((one) => one.id === id)
    if (defect === undefined) throw new Error(`there is no defect ${id}`)
    return defect
  })
  const { requirements, only, observes, answers, seed } = task
  const checks = api.checks.filter(
    ({ id, requirement }) => requirements.includes(requirement) && (only === null || only.includes(id)),
  )
  const cases = observes ? [...checks, ...api.observations] : checks
  const outcomes = await api.judge({ answers, defects, checks: cases, seed, scope: task.scope ?? undefined })
  const subjectOf = new Map(
    cases.map((one) => [one.id, 'requirement' in one ? { requirement: one.requirement } : { question: one.question }]),
  )
  return outcomes.map((outcome) => {
    const { check, status, code, answer, message } = outcome
    const failure = status === 'failed' && { failure: failureOf(outcome) }
    return { check, status, code, answer, message, ...subjectOf.get(check), ...failure }
  })
}

export function describeTask({ defects, answers }: SelfTestTask): string {
  const what = defects.length === 0 ? 'the simulator without a defect' : `the defect ${defects.join(' with ')}`
  return Object.keys(answers).length === 0 ? what : `${what} with other answers`
}
